import type { Fact } from '../../../agent/protocol/facts/fact';
import { waitCommand } from './wait-line';

/** Milliseconds without a fact before the open waits are reported, so that a late reader is not told of old ones. */
const QUIET = 300;

/** Reports, once for each wait, the command that ends it. */
export class WaitHints {
  readonly #open = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly run: string,
    private readonly say: (command: string) => void,
    quiet = QUIET,
  ) {
    this.#timer = setTimeout(() => this.#tell(), quiet);
  }

  /** Takes the facts in order. */
  note(fact: Fact): void {
    const command = waitCommand(this.run, fact);
    if (command !== undefined) this.#open.set(waitOf(fact), command);
    else if (ENDS.has(fact.type)) this.#open.delete(waitOf(fact));
    this.#timer.refresh();
  }

  /** Stops reporting. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    for (const command of this.#open.values()) this.say(command);
    this.#open.clear();
  }
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
