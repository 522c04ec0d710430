import { textOf } from '../../agent/model/message';
import type { Fact } from '../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../agent/protocol/stream';
import { type OutageTold, outageOfFact, outageText } from '../../agent/state/outage-text';
import type { RunState } from '../../agent/state/run-state';
import { defined } from '../../agent/values/defined';
import { canonicalJson, type Json } from '../../agent/values/json';
import { visibleName } from '../../agent/values/visible';
import { answerText, type ChatLine, callText, chatLine, resultText } from '../chat/line';
import { ChatSpending } from '../chat/spending';
import { ChatStream } from '../chat/stream';
import { conversationLine } from './conversation-line';
import { linesOfFact } from './facts/lines-of-fact';
import { gaveUpText, modelLine } from './facts/model-line';
import { WITHDRAWN } from './stream/withdrawn';
import { MODEL_DONE } from './waits/wait-hints';

/** Tools of the loop itself. Their calls are not shown, since their effects are. */
const LOOP: ReadonlySet<string> = new Set(['ask_question', 'converse', 'task_completion']);

/** The content of a chat: turns facts and deltas, in order, into lines. Independent of terminal and clock. */
export class ChatLines {
  readonly stream = new ChatStream();
  /** The exchange in progress. */
  busy: { exchange: number; since: number } | undefined;
  /** Names of the running calls, by id. */
  readonly calls = new Map<string, string>();
  /** The model that gives no answer, and when it is asked again. Without a time it is being asked. */
  outage: Pick<OutageTold, 'model' | 'since' | 'nextAt'> | undefined;
  /** The last progress report of a running tool. */
  progress: string | undefined;
  /** The time of the first wait for the model in use. */
  #waitsSince: number | undefined;
  /** Why it gives no answer, as it was said. */
  #whySaid: string | undefined;
  readonly #spending = new ChatSpending();
  #last = '';
  /** Messages that were accepted and are not yet in the transcript. */
  readonly #coming: { mine: boolean; by: string }[] = [];
  /** The run itself tells the model something, in a message before those of people. */
  #noted = false;

  /** @param isMine whether the message with this id was typed here, and so is on the screen already */
  constructor(private readonly isMine: (messageId: string | undefined) => boolean) {}

  /** The lines that a fact or a delta adds. `now`: milliseconds of any clock. */
  note(event: Fact | StreamDelta, now: number): ChatLine[] {
    return 'callId' in event ? this.#delta(event, now) : this.#fact(event, now);
  }

  /** Takes up a run in the middle of an exchange. The line says what it waits for, if it is its model. */
  takeUp({ exchange, outage, models, model }: RunState, now: number): ChatLine[] {
    this.busy = { exchange, since: now };
    if (outage === undefined) return [];
    this.#waitsSince = outage.since;
    const about = { ...outage, model: models[model] ?? '' };
    return this.#away(about);
  }

  #delta(delta: StreamDelta, now: number): ChatLine[] {
    switch (delta.type) {
      case 'stream.text':
        this.outage = undefined;
        return this.stream.text(delta.text);
      case 'stream.reasoning':
        this.stream.reasoning(delta.text, now);
        return [];
      case 'stream.clear':
        return this.stream.withdraw('the model starts again');
      case 'tool.progress': {
        const { progress, total, message } = delta;
        this.progress = `${message ?? ''} ${progress}${total === undefined ? '' : ` of ${total}`}`.trim();
        return [];
      }
      default:
        // Complete calls follow as facts.
        return [];
    }
  }

  #fact(fact: Fact, now: number): ChatLine[] {
    const waitsSince = this.#waitsSince;
    if (MODEL_DONE.has(fact.type)) this.outage = this.#waitsSince = this.#whySaid = undefined;
    switch (fact.type) {
      case 'model.waiting':
        this.#waitsSince ??= fact.time;
        return this.#away(outageOfFact(fact));
      case 'model.retried':
        this.outage = { model: fact.model, ...defined({ since: this.outage?.since }) };
        return [chatLine('note', modelLine(fact))];
      case 'message.received':
        this.#coming.push({ mine: this.isMine(fact.id), by: fact.by ?? 'another client' });
        return [];
      case 'exchange.start': {
        this.busy = { exchange: fact.exchange, since: now };
        this.#last = '';
        this.#spending.begin(fact.time);
        // It brings no message.
        if (fact.regenerates === undefined) return [];
        this.#coming.shift();
        return [chatLine('note', 'The last answer is being regenerated.')];
      }
      case 'loop.iteration':
        this.busy ??= { exchange: fact.exchange, since: now };
        this.stream.begin();
        return [];
      case 'message':
        return this.#message(fact);
      case 'usage':
      case 'budget.context':
        this.#spending.note(fact);
        return [];
      case 'tool.call':
        this.calls.set(fact.toolUseId, fact.name);
        return LOOP.has(fact.name) ? [] : [chatLine('call', callText(fact.name, fact.input))];
      case 'tool.result':
        this.#settled(fact.toolUseId);
        return LOOP.has(fact.name) ? [] : [chatLine('result', resultText(fact.content))];
      case 'tool.error':
        this.#settled(fact.toolUseId);
        return [chatLine('error', `${fact.name}: ${fact.error.message}`)];
      case 'text.withdrawn':
        return this.stream.withdraw(WITHDRAWN[fact.why]);
      case 'undo.done':
        this.#noted = true;
        return [chatLine('note', `↶ ${conversationLine(fact)}`)];
      case 'undo.failed':
        this.#noted = true;
        return [chatLine('error', conversationLine(fact))];
      case 'exchange.end':
        return this.#ended(fact, waitsSince);
      default:
        return linesOfFact(fact);
    }
  }

  /** Further failures of the same kind change only when the model is asked again. */
  #away(outage: OutageTold): ChatLine[] {
    const why = `${outage.model} ${outage.error.message}`;
    const said = why === this.#whySaid;
    this.outage = outage;
    this.#whySaid = why;
    return said ? [] : [outageLine(outage)];
  }

  #message({ message }: Extract<Fact, { type: 'message' }>): ChatLine[] {
    const text = textOf(message);
    if (message.role === 'assistant') {
      if (message.partial !== true && text.trim() !== '') this.#last = text;
      return this.stream.message(message);
    }
    if (message.parts.some((part) => part.type === 'tool_result')) return [];
    if (this.#noted) {
      this.#noted = false;
      return [];
    }
    const { mine = true, by = '' } = this.#coming.shift() ?? {};
    return mine || text === '' ? [] : [chatLine('other', `${visibleName(by)}: ${text}`)];
  }

  #settled(toolUseId: string): void {
    this.calls.delete(toolUseId);
    this.progress = undefined;
  }

  #ended({ reason, data, error, by, time }: Extract<Fact, { type: 'exchange.end' }>, waitsSince?: number): ChatLine[] {
    this.busy = undefined;
    this.calls.clear();
    this.progress = undefined;
    const lines = this.stream.withdraw('it was interrupted');
    if (data !== undefined && !isSame(data, this.#last)) lines.push(chatLine('text', answerText(data)));
    if (reason === 'failed') lines.push(chatLine('error', error?.message ?? 'The exchange failed.'));
    if (reason === 'failed' && waitsSince !== undefined) lines.push(chatLine('note', gaveUpText(waitsSince, time)));
    if (reason === 'interrupted')
      lines.push(chatLine('note', by === undefined ? 'Stopped.' : `Stopped by ${visibleName(by)}.`));
    if (reason === 'cancelled') lines.push(chatLine('note', 'Cancelled.'));
    return [...lines, ...this.#spending.end(time)];
  }
}

/** Whether an output is what the text says. */
export function isSame(data: Json, text: string): boolean {
  if (typeof data === 'string') return data.trim() === text.trim();
  try {
    return canonicalJson(JSON.parse(text) as Json) === canonicalJson(data);
  } catch {
    return false;
  }
}

function outageLine(outage: OutageTold): ChatLine {
  const ways = 'Type /retry to ask it at once, or /model <alias> to use another one.';
  return chatLine('warning', outageText(outage, { ways }));
}
