import type { Fact } from '../../../agent/protocol/facts/fact';
import { closeCommand, modelCommands, sendCommand } from './wait-commands';
import { waitCommand } from './wait-line';

/** Milliseconds without a fact before the open waits are reported, so that a late reader is not told of old ones. */
const QUIET = 300;

/** The keys of the waits for the next message and for the model. Those of other waits are ids of calls and questions. */
const MESSAGE = 'message';
const MODEL = 'model';

export interface WaitHintsOptions {
  /** The id of the run. */
  run: string;
  /** Takes whole lines. */
  say(line: string): void;
  /** What Ctrl-C does to the run, such as `cancels the run`. */
  ctrlC: string;
  /** Milliseconds without a fact before the open waits are reported. Default 300. */
  quiet?: number | undefined;
}

/** Reports, once for each wait, the commands that end it. */
export class WaitHints {
  /** The lines of each wait that is not reported yet. */
  readonly #open = new Map<string, readonly string[]>();
  readonly #timer: NodeJS.Timeout;
  /** A conversation waits for a message after each answer: that is news only the first time. */
  #toldOfMessages = false;
  /** A model that fails again is the same wait. */
  #toldOfModel = false;

  constructor(private readonly options: WaitHintsOptions) {
    this.#timer = setTimeout(() => this.#tell(), options.quiet ?? QUIET);
  }

  /** Takes the facts in order. */
  note(fact: Fact): void {
    const { run } = this.options;
    const command = waitCommand(run, fact);
    if (command !== undefined) this.#open.set(waitOf(fact), [waitLine(command)]);
    else if (ENDS.has(fact.type)) this.#open.delete(waitOf(fact));
    if (fact.type === 'exchange.end' && !this.#toldOfMessages) this.#open.set(MESSAGE, this.#messageLines());
    else if (BUSY.has(fact.type)) this.#open.delete(MESSAGE);
    if (fact.type === 'model.waiting' && !this.#toldOfModel) this.#open.set(MODEL, modelCommands(run).map(waitLine));
    else if (MODEL_DONE.has(fact.type)) {
      this.#open.delete(MODEL);
      this.#toldOfModel = false;
    }
    this.#timer.refresh();
  }

  /** Stops reporting. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    if (this.#open.has(MESSAGE)) this.#toldOfMessages = true;
    if (this.#open.has(MODEL)) this.#toldOfModel = true;
    for (const lines of this.#open.values()) for (const line of lines) this.options.say(line);
    this.#open.clear();
  }

  #messageLines(): string[] {
    const { run, ctrlC } = this.options;
    return [
      `note  the run waits for the next message; Ctrl-C ${ctrlC}`,
      waitLine(sendCommand(run)),
      waitLine(closeCommand(run)),
    ];
  }
}

function waitLine(command: string): string {
  return `wait  ${command}`;
}

/** The key of the wait that a fact is about. One call may ask more than one question. */
function waitOf(fact: Fact): string {
  if ('questionId' in fact) return fact.questionId;
  return ('toolUseId' in fact ? fact.toolUseId : undefined) ?? '';
}

const ENDS: ReadonlySet<Fact['type']> = new Set([
  'approval.decided',
  'approval.expired',
  'service.answered',
  'question.answered',
  'question.declined',
  'question.expired',
  'question.withdrawn',
  'tool.result',
  'tool.error',
]);

/** Facts after which a conversation waits for no message. */
const BUSY: ReadonlySet<Fact['type']> = new Set(['exchange.start', 'conversation.closing', 'loop.end']);

/** Facts after which a run does not wait for the model that failed. */
export const MODEL_DONE: ReadonlySet<Fact['type']> = new Set([
  'message',
  'model.switched',
  'model.fallback',
  'exchange.end',
  'loop.end',
]);
