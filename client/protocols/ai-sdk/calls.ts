import type { ContentPart, ToolUsePart } from '../../../agent/model/message';
import type { Fact } from '../../../agent/protocol/facts/fact';
import type { Json, JsonObject } from '../../../agent/values/json';
import type { UiChunk } from './chunks';
import type { ToolName, ToolNames } from './tool-names';

/** Who a call waits for. `call`: a client-side tool, whose result its reader sends. */
type WaitsFor = 'approvals' | 'questions' | 'calls';

interface Call extends ToolName {
  /** JSON of the arguments that readers have. Missing: they only see them grow. */
  shown?: string;
  settled: boolean;
  waits?: WaitsFor;
}

/** Characters of a result that are read as JSON: a larger one stays a text. */
const MAX_JSON = 256 * 1024;

/** The calls of an exchange, as tool parts. */
export class CallParts {
  readonly #calls = new Map<string, Call>();

  constructor(private readonly names: ToolNames) {}

  /** What a fact means for the calls; nothing for facts about other things. */
  take(fact: Fact): UiChunk[] {
    switch (fact.type) {
      case 'tool.call':
        return this.available(fact.toolUseId, fact.name, fact.input);
      case 'tool.result':
        return this.#result(fact.toolUseId, fact.content);
      case 'tool.error':
        return this.#failed(fact.toolUseId, fact.error);
      case 'approval.requested': {
        const { toolUseId, name, input, hash } = fact;
        const shown = this.available(toolUseId, name, input);
        this.#waits(toolUseId, 'approvals');
        const approvalId = approvalIdOf(toolUseId, hash);
        return [...shown, { type: 'tool-approval-request', approvalId, toolCallId: toolUseId }];
      }
      case 'approval.decided':
        this.#waits(fact.toolUseId, undefined);
        return fact.input === undefined ? [] : this.available(fact.toolUseId, fact.name, fact.input);
      case 'approval.expired':
        this.#waits(fact.toolUseId, undefined);
        return [];
      case 'question.asked':
        this.#waits(fact.toolUseId, 'questions');
        return [];
      case 'question.answered':
      case 'question.declined':
      case 'question.expired':
      case 'question.withdrawn':
        this.#waits(fact.toolUseId, undefined);
        return [];
      case 'service.called':
        if (fact.kind === 'signal') this.#waits(fact.toolUseId, 'calls');
        return [];
      case 'service.answered':
        this.#waits(fact.toolUseId, undefined);
        return [];
      default:
        return [];
    }
  }

  /** A piece of a call that the model is writing. Its id is known before the run plans it. */
  streamed(toolCallId: string, modelName: string, piece: string): UiChunk[] {
    const known = this.#calls.get(toolCallId);
    const start: UiChunk[] = [];
    if (known === undefined) {
      const call = { ...this.names(modelName), settled: false };
      this.#calls.set(toolCallId, call);
      start.push({ type: 'tool-input-start', toolCallId, toolName: call.name, ...dynamic(call) });
    } else if (known.shown !== undefined) return [];
    return piece === '' ? start : [...start, { type: 'tool-input-delta', toolCallId, inputTextDelta: piece }];
  }

  /** The model begins an attempt over: what it has written of its calls is written again. */
  startOver(turn: number): UiChunk[] {
    return [...this.#calls].flatMap(([toolCallId, call]): UiChunk[] => {
      if (call.shown !== undefined || !isOfTurn(toolCallId, turn)) return [];
      return [{ type: 'tool-input-start', toolCallId, toolName: call.name, ...dynamic(call) }];
    });
  }

  /** The answer of a turn is known, and with it which of its calls there are. */
  answered(turn: number, parts: readonly ToolUsePart[]): UiChunk[] {
    const asked = new Set(parts.map(({ toolUseId }) => toolUseId));
    const chunks = parts.flatMap(({ toolUseId, name, input }) => this.available(toolUseId, name, input));
    for (const [toolCallId, call] of this.#calls) {
      if (call.shown !== undefined || asked.has(toolCallId) || !isOfTurn(toolCallId, turn)) continue;
      chunks.push(this.#dropped(toolCallId, call));
    }
    return chunks;
  }

  /** The whole arguments of a call; they change when a person edits them. */
  available(toolCallId: string, name: string, input: JsonObject): UiChunk[] {
    const call = this.#calls.get(toolCallId) ?? { ...this.names(name), settled: false };
    this.#calls.set(toolCallId, call);
    const shown = JSON.stringify(input);
    if (call.shown === shown) return [];
    call.shown = shown;
    return [{ type: 'tool-input-available', toolCallId, toolName: call.name, input, ...dynamic(call) }];
  }

  #waits(toolCallId: string, who: WaitsFor | undefined): void {
    const call = this.#calls.get(toolCallId);
    if (call === undefined) return;
    if (who === undefined) delete call.waits;
    else call.waits = who;
  }

  #result(toolCallId: string, content: readonly ContentPart[]): UiChunk[] {
    return this.#settle(toolCallId, (call) => [
      { type: 'tool-output-available', toolCallId, output: outputOf(content), ...dynamic(call) },
    ]);
  }

  #failed(toolCallId: string, { type, message }: { type: string; message: string }): UiChunk[] {
    return this.#settle(toolCallId, (call) =>
      type === 'Denied'
        ? [{ type: 'tool-output-denied', toolCallId }]
        : [{ type: 'tool-output-error', toolCallId, errorText: message, ...dynamic(call) }],
    );
  }

  /** The exchange has ended: nothing will come of what is still open. */
  close(): UiChunk[] {
    return [...this.#calls].flatMap(([id, call]) => {
      if (call.settled) return [];
      if (call.shown === undefined) return [this.#dropped(id, call)];
      return this.#failed(id, { type: 'ToolCancelled', message: 'The call was withdrawn.' });
    });
  }

  /** Ids of the calls that wait for people, if nothing else is going on; else `undefined`. */
  onlyPeople(): ReadonlyMap<string, WaitsFor> | undefined {
    const waiting = new Map<string, WaitsFor>();
    const held = new Set<string>();
    for (const [id, { settled, waits, lane, shown }] of this.#calls) {
      if (settled || shown === undefined) continue;
      if (waits !== undefined) waiting.set(id, waits);
      // It runs after the one before it in its lane, which waits.
      else if (lane === undefined || !held.has(lane)) return undefined;
      if (lane !== undefined) held.add(lane);
    }
    return waiting.size === 0 ? undefined : waiting;
  }

  #settle(toolCallId: string, chunks: (call: Call) => UiChunk[]): UiChunk[] {
    const call = this.#calls.get(toolCallId);
    if (call === undefined || call.settled) return [];
    call.settled = true;
    delete call.waits;
    return chunks(call);
  }

  #dropped(toolCallId: string, call: Call): UiChunk {
    call.settled = true;
    call.shown = '';
    const errorText = 'The call is not run.';
    return { type: 'tool-input-error', toolCallId, toolName: call.name, input: {}, errorText, ...dynamic(call) };
  }
}

function dynamic(call: ToolName): { dynamic?: true } {
  return call.dynamic ? { dynamic: true } : {};
}

function isOfTurn(toolCallId: string, turn: number): boolean {
  return toolCallId.startsWith(`t${turn}.`);
}

/** The value that a tool has returned, as far as its texts tell: JSON, a text, or parts if there are media. */
function outputOf(content: readonly ContentPart[]): Json {
  if (content.some(({ type }) => type !== 'text')) return content as unknown as Json;
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  if (!/^\s*[[{]/.test(text) || text.length > MAX_JSON) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Names an approval together with the arguments that were shown: people approve only what they saw. */
export function approvalIdOf(toolUseId: string, hash: string): string {
  return `${toolUseId}.${hash.slice(0, 32)}`;
}
