import type { ContentPart, ToolUsePart } from '../../../../agent/model/message';
import type { Fact } from '../../../../agent/protocol/facts/fact';
import type { JsonObject } from '../../../../agent/values/json';
import type { UiChunk } from '../chunks';
import { approvalIdOf, availableOf, dynamic, startOf } from './call-chunks';
import { outputOf } from './output-of';
import type { ToolName, ToolNames } from './tool-names';

/** Who a call waits for. `call`: a client-side tool, whose result its reader sends. */
export type WaitsFor = 'approvals' | 'questions' | 'calls';

interface Call extends ToolName {
  /** Missing: the model is writing them. */
  input?: JsonObject;
  /** Readers have a part for it. */
  begun: boolean;
  /** JSON of the arguments that readers have. Missing: they see them grow, or nothing yet. */
  shown?: string;
  /** Its part is in an earlier step, where a client of the AI SDK does not look for arguments that change. */
  past?: true;
  settled: boolean;
  waits?: WaitsFor;
  /** People were asked whether it may run. */
  gated?: true;
  /** An agent that works for the run carries it out. */
  delegated?: true;
}

/**
 * The calls of an exchange, as tool parts. Those of one lane run one after the other, and are shown so: a client of the AI
 * SDK sends the answers of people only when each call of the step that it has is answered or settled.
 */
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
        const shown = [...this.available(toolUseId, name, input), ...this.#waits(toolUseId, 'approvals')];
        const approvalId = approvalIdOf(toolUseId, hash);
        return [...shown, { type: 'tool-approval-request', approvalId, toolCallId: toolUseId }];
      }
      case 'approval.decided':
        this.#waitsNoMore(fact.toolUseId);
        return fact.input === undefined ? [] : this.available(fact.toolUseId, fact.name, fact.input);
      case 'question.asked':
        return this.#waits(fact.toolUseId, 'questions');
      case 'approval.expired':
      case 'question.answered':
      case 'question.declined':
      case 'question.expired':
      case 'question.withdrawn':
      case 'service.answered':
        return this.#waitsNoMore(fact.toolUseId);
      case 'service.called': {
        if (fact.kind === 'signal') return this.#waits(fact.toolUseId, 'calls');
        const call = this.#calls.get(fact.toolUseId);
        if (call === undefined || fact.kind !== 'agent') return [];
        call.delegated = true;
        return this.#reopen(fact.toolUseId, call);
      }
      default:
        return [];
    }
  }

  /** A piece of a call that the model is writing. Its id is known before the run plans it. */
  streamed(toolCallId: string, modelName: string, piece: string): UiChunk[] {
    const known = this.#calls.get(toolCallId);
    const call = known ?? this.#add(toolCallId, modelName);
    if (known === undefined && !this.#isHeld(toolCallId, call)) call.begun = true;
    if (!call.begun || call.input !== undefined) return [];
    const start = known === undefined ? [startOf(toolCallId, call)] : [];
    return piece === '' ? start : [...start, { type: 'tool-input-delta', toolCallId, inputTextDelta: piece }];
  }

  /** The model begins an attempt over: what it has written of its calls is written again. */
  startOver(turn: number): UiChunk[] {
    return [...this.#calls].flatMap(([toolCallId, call]): UiChunk[] =>
      !call.begun || call.input !== undefined || turnOf(toolCallId) !== `t${turn}` ? [] : [startOf(toolCallId, call)],
    );
  }

  /** The answer of a turn is known, and with it which of its calls there are. */
  answered(turn: number, parts: readonly ToolUsePart[]): UiChunk[] {
    const asked = new Set(parts.map(({ toolUseId }) => toolUseId));
    const dropped = [...this.#calls].flatMap(([toolCallId, call]) =>
      call.input !== undefined || asked.has(toolCallId) || turnOf(toolCallId) !== `t${turn}`
        ? []
        : this.#dropped(toolCallId, call),
    );
    return [...parts.flatMap(({ toolUseId, name, input }) => this.available(toolUseId, name, input)), ...dropped];
  }

  /** The whole arguments of a call; they change when a person edits them. */
  available(toolCallId: string, name: string, input: JsonObject): UiChunk[] {
    const call = this.#calls.get(toolCallId) ?? this.#add(toolCallId, name);
    call.input = input;
    return this.#isHeld(toolCallId, call) ? [] : this.#show(toolCallId, call);
  }

  /** Another step begins. */
  beginStep(): void {
    for (const call of this.#calls.values()) call.past = true;
  }

  /** The exchange has ended: nothing will come of what is still open. */
  close(message = 'The call was withdrawn.'): UiChunk[] {
    return [...this.#calls].flatMap(([id, call]) => {
      if (call.settled) return [];
      if (call.input === undefined) return this.#dropped(id, call);
      return this.#failed(id, { type: 'ToolCancelled', message });
    });
  }

  /** The part of a call, as it is. */
  partOf(toolCallId: string): UiChunk[] {
    const call = this.#calls.get(toolCallId);
    return call?.input === undefined ? [] : [availableOf(toolCallId, call, call.input)];
  }

  /**
   * Ids of the calls that wait for people, here and at the agents that work for this one, if nothing else is going on;
   * else `undefined`.
   */
  onlyPeople(agents: ReadonlyMap<string, CallParts> = NONE): ReadonlyMap<string, WaitsFor> | undefined {
    const waiting = new Map<string, WaitsFor>();
    for (const [id, { settled, waits, delegated, shown }] of this.#calls) {
      if (settled || shown === undefined) continue;
      const below = delegated ? agents.get(id)?.onlyPeople(agents) : undefined;
      if (waits !== undefined) waiting.set(id, waits);
      else if (below === undefined) return undefined;
      else for (const [one, who] of below) waiting.set(one, who);
    }
    return waiting.size === 0 ? undefined : waiting;
  }

  #add(toolCallId: string, name: string): Call {
    const call = { ...this.names(name), begun: false, settled: false };
    this.#calls.set(toolCallId, call);
    return call;
  }

  /** It runs after one before it in its lane, which is open. */
  #isHeld(toolCallId: string, { lane, begun }: Call): boolean {
    if (lane === undefined || begun) return false;
    for (const [id, other] of this.#calls) {
      if (id === toolCallId) return false;
      if (other.lane === lane && !other.settled && turnOf(id) === turnOf(toolCallId)) return true;
    }
    return false;
  }

  #show(toolCallId: string, call: Call): UiChunk[] {
    const { input } = call;
    if (input === undefined) return [];
    const shown = JSON.stringify(input);
    if (call.shown === shown) return [];
    const isOld = call.past && call.begun;
    call.shown = shown;
    call.begun = true;
    return isOld ? [] : [availableOf(toolCallId, call, input)];
  }

  #waits(toolCallId: string, who: WaitsFor): UiChunk[] {
    const call = this.#calls.get(toolCallId);
    if (call === undefined) return [];
    call.waits = who;
    const shown = this.#show(toolCallId, call);
    if (who !== 'approvals') return [...shown, ...this.#reopen(toolCallId, call)];
    call.gated = true;
    return shown;
  }

  /** To a client a call is done with once it is approved, and it would send that again and again. */
  #reopen(toolCallId: string, call: Call): UiChunk[] {
    return call.gated && !call.past ? this.partOf(toolCallId) : [];
  }

  #waitsNoMore(toolCallId: string): UiChunk[] {
    delete this.#calls.get(toolCallId)?.waits;
    return [];
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

  #settle(toolCallId: string, chunks: (call: Call) => UiChunk[]): UiChunk[] {
    const call = this.#calls.get(toolCallId);
    if (call === undefined || call.settled) return [];
    call.settled = true;
    delete call.waits;
    const shown = call.shown === undefined ? this.#show(toolCallId, call) : [];
    return [...shown, ...(call.begun ? chunks(call) : []), ...this.#next(toolCallId, call)];
  }

  /** A call has settled: the next one of its lane begins. */
  #next(toolCallId: string, { lane }: Call): UiChunk[] {
    if (lane === undefined) return [];
    return [...this.#calls].flatMap(([id, call]) => {
      const isNext = call.lane === lane && !call.settled && turnOf(id) === turnOf(toolCallId);
      return isNext && call.shown === undefined && !this.#isHeld(id, call) ? this.#show(id, call) : [];
    });
  }

  #dropped(toolCallId: string, call: Call): UiChunk[] {
    call.settled = true;
    if (!call.begun) return [];
    call.shown = '';
    const errorText = 'The call is not run.';
    return [{ type: 'tool-input-error', toolCallId, toolName: call.name, input: {}, errorText, ...dynamic(call) }];
  }
}

const NONE: ReadonlyMap<string, CallParts> = new Map();

/** `t1` of `t1.2`. */
function turnOf(toolCallId: string): string {
  return toolCallId.slice(0, toolCallId.lastIndexOf('.'));
}
