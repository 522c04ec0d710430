import { textOf } from '../../agent/model/message';
import type { Fact } from '../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../agent/protocol/stream';
import type { Json } from '../../agent/values/json';
import { visible, visibleName } from '../../agent/values/visible';
import { answerText } from '../chat/line';
import { seconds } from '../chat/stream';
import { AnswerLines } from './answer-lines';
import { CallLines } from './call-lines';
import { isSame } from './chat-lines';
import { factText, oneLine, PROBLEM_WIDTH, turnsText } from './facts/fact-line';
import { spentText } from './spent-text';
import { ENDS_ANSWER } from './stream/ends-answer';
import { isDelta } from './stream/is-delta';
import { WITHDRAWN } from './stream/withdrawn';

/** Tools of the loop whose calls are shown as what they do. */
const LOOP: ReadonlySet<string> = new Set(['ask_question', 'converse']);

/** Facts before which the rest of an answer is not shown: it is withdrawn, or may be the result. */
const SILENT: ReadonlySet<Fact['type']> = new Set([
  'usage',
  'tools.offered',
  'budget.context',
  'text.withdrawn',
  'loop.end',
]);

export interface RunLinesOptions {
  say(line: string): void;
  /** The id of a run that this process did not start: then its start, its input and its result are shown, too. */
  tailed?: string | undefined;
  /** Milliseconds without a fact before a running call is shown. Default 300. */
  quiet?: number | undefined;
}

/** What a person wants to see of a run: the answer while it is written, calls, waits and problems, and what it cost. */
export class RunLines {
  readonly #answer: AnswerLines;
  readonly #calls: CallLines;
  readonly #tailed: string | undefined;
  readonly #say: (line: string) => void;
  /** The kind of the last line, if the next one may continue it. */
  #block: string | undefined;
  #began: number | undefined;
  /** Who sent the messages that are accepted and not in the transcript yet. */
  readonly #senders: (string | undefined)[] = [];

  constructor({ say, tailed, quiet }: RunLinesOptions) {
    this.#say = say;
    this.#tailed = tailed;
    this.#answer = new AnswerLines((kind, line) => this.#line(KINDS[kind] ?? kind, line, kind === 'text'));
    this.#calls = new CallLines((line) => this.#line('tool', line), quiet);
  }

  note(event: Fact | StreamDelta): void {
    if (isDelta(event)) {
      this.#answer.delta(event);
      return;
    }
    const partial = event.type === 'message' && event.message.partial === true;
    if (!partial && !SILENT.has(event.type)) {
      if (ENDS_ANSWER.has(event.type)) this.#answer.flush();
      else this.#answer.pause();
    }
    this.#fact(event);
  }

  /** Whether the last lines are this output. */
  shows(data: Json): boolean {
    return typeof data === 'string' && this.#answer.said !== undefined && isSame(data, this.#answer.said);
  }

  end(): void {
    this.#calls.end();
    this.#answer.flush();
  }

  #fact(fact: Fact): void {
    switch (fact.type) {
      case 'loop.start':
        this.#began = fact.time;
        if (this.#tailed !== undefined) this.#line('run', `${this.#tailed} (${fact.agent})`);
        break;
      case 'exchange.start':
        if (fact.regenerates !== undefined) this.#regenerates(fact.by);
        break;
      case 'loop.iteration':
        this.#answer.begin();
        break;
      case 'message.received':
        this.#senders.push(fact.by);
        break;
      case 'message':
        this.#message(fact);
        break;
      case 'tool.call':
        if (this.#shows(fact.name)) this.#calls.called(fact);
        break;
      case 'tool.result':
      case 'tool.error':
        if (this.#shows(fact.name)) this.#calls.settled(fact);
        break;
      case 'approval.requested':
      case 'approval.escalated':
      case 'question.asked':
      case 'service.called':
        this.#calls.shown(fact.toolUseId);
        this.#line('asks', factText(fact));
        break;
      case 'approval.decided':
        this.#calls.released(fact.toolUseId, fact.time);
        this.#line('note', factText(fact));
        break;
      case 'text.withdrawn': {
        const why = WITHDRAWN[fact.why];
        if (this.#answer.withdraw(fact.turn)) this.#line('note', `the text above is withdrawn: ${why}`);
        break;
      }
      case 'tools.offered':
        // Each turn has one: only a problem is news.
        if (fact.problem !== undefined) this.#line('!', factText(fact));
        break;
      case 'model.switched':
        this.#line(fact.why === 'chosen' ? 'note' : '!', factText(fact));
        break;
      case 'output.rejected':
        this.#line('note', `the answer is invalid, and the model answers again: ${fact.error}`);
        break;
      case 'run.renamed':
        this.#line('note', `the run is now called ${visibleName(fact.title)}`);
        break;
      case 'exchange.end':
        this.#exchangeEnd(fact);
        break;
      case 'loop.end':
        this.#loopEnd(fact);
        break;
      default: {
        const kind = PLAIN[fact.type];
        if (kind !== undefined) this.#line(kind, factText(fact));
      }
    }
  }

  /** Whether calls of a tool are shown. The result of its own run is printed when the command ends. */
  #shows(tool: string): boolean {
    return !LOOP.has(tool) && (this.#tailed !== undefined || tool !== 'task_completion');
  }

  #message({ message, turn }: Extract<Fact, { type: 'message' }>): void {
    const text = textOf(message);
    if (message.role === 'assistant') {
      if (message.partial !== true) this.#answer.message(text, turn);
      return;
    }
    if (message.parts.some((part) => part.type === 'tool_result')) return;
    const sent = this.#senders.length > 0;
    const by = this.#senders.shift();
    // Others are the input, or feedback to the model.
    if (!sent && (this.#tailed === undefined || message.turn > 0)) return;
    if (text.trim() !== '') this.#line('user', by === undefined ? text : `${visibleName(by)}: ${text}`);
  }

  #regenerates(by: string | undefined): void {
    // It brings no message.
    this.#senders.shift();
    this.#line('note', `the last answer is being regenerated${by === undefined ? '' : `, by ${visibleName(by)}`}`);
  }

  #exchangeEnd({ reason, data, error, by }: Extract<Fact, { type: 'exchange.end' }>): void {
    if (data !== undefined && !isSame(data, this.#answer.said ?? '')) this.#answer.show(answerText(data));
    if (reason === 'failed') this.#line('!', error?.message ?? 'The exchange failed.');
    if (reason === 'interrupted' || reason === 'cancelled')
      this.#line('note', `${reason}${by === undefined ? '' : ` by ${visibleName(by)}`}`);
  }

  #loopEnd(fact: Extract<Fact, { type: 'loop.end' }>): void {
    const { reason, turns, time, error } = fact;
    if (reason === 'completed' && this.#tailed === undefined) this.#answer.unsaid = undefined;
    this.#answer.flush();
    // The error of its own run is printed when the command ends.
    if (error !== undefined && this.#tailed !== undefined) this.#line('!', error.message);
    const took = this.#began === undefined ? '' : `, ${seconds(time - this.#began)}`;
    const how = reason === 'completed' ? '' : `${reason} after `;
    this.#line(ENDS[reason], `${how}${turnsText(turns)}, ${spentText(fact)}${took}`);
  }

  /** A line of a kind. Lines of one text go on below each other, and never begin like another kind. */
  #line(kind: string, text: string, block = false): void {
    const first = this.#block !== kind || !block;
    this.#block = block ? kind : undefined;
    const line = block ? visible(text) : oneLine(visible(text), kind === '!' ? PROBLEM_WIDTH : WIDTH);
    this.#say(`${(first ? kind : '').padEnd(5)} ${line}`.trimEnd());
  }
}

/** Maximum characters of a line that is not part of an answer. */
const WIDTH = 300;

const KINDS: { readonly [kind: string]: string } = { thinks: 'think', again: 'note', does: 'tool' };
const ENDS = { completed: 'done', failed: 'fail', cancelled: 'stop' } as const;

/** Facts that are shown as they are, and the kind of their line. */
const PLAIN: { readonly [type in Fact['type']]?: 'note' | '!' } = {
  'approval.remembered': 'note',
  'approval.unremembered': '!',
  'approval.expired': 'note',
  'question.answered': 'note',
  'question.declined': 'note',
  'question.expired': 'note',
  'question.withdrawn': 'note',
  'model.waiting': '!',
  'model.retried': 'note',
  'model.downgraded': 'note',
  'model.fallback': '!',
  'answer.nudged': 'note',
  'answer.replaced': '!',
  'breaker.skipped': 'note',
  'breaker.failing': 'note',
  'breaker.withdrawn': 'note',
  'breaker.hinted': 'note',
  'breaker.stopped': '!',
  'tool.repaired': 'note',
  'plan.made': 'note',
  'plan.decided': 'note',
  'plan.fallback': '!',
  'context.trimmed': 'note',
  'facts.missing': '!',
  'tool.none': 'note',
  'error.repeated': '!',
  'context.compacting': 'note',
  'context.compacted': 'note',
  'context.summary.failed': '!',
  'context.full': '!',
  'prompt.section.failed': '!',
  'undo.done': 'note',
  'undo.failed': '!',
  'undo.left': 'note',
  'undo.dropped': 'note',
  'reply.failed': '!',
  'conversation.closing': 'note',
};
