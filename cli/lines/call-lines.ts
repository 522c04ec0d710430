import type { Fact } from '../../agent/protocol/facts/fact';
import { visible, visibleJson } from '../../agent/values/visible';
import { resultText } from '../chat/line';
import { seconds } from '../chat/stream';
import { oneLine } from './facts/fact-line';

/** Milliseconds without a fact before a running call is shown: the outcome of a fast one follows at once. */
const QUIET = 300;
/** Calls that took longer are shown with their time, in milliseconds. */
const LONG = 1000;
/** Maximum characters of a call's arguments, and of its outcome. */
const SHORT = 90;

interface RunningCall {
  text: string;
  since: number;
  /** It is on the screen. */
  told: boolean;
}

/** One line for each call with its outcome, and one before it for a call that takes time. */
export class CallLines {
  readonly #running = new Map<string, RunningCall>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly say: (line: string) => void,
    quiet = QUIET,
  ) {
    this.#timer = setTimeout(() => this.#tell(), quiet);
  }

  called({ toolUseId, name, input, time }: Extract<Fact, { type: 'tool.call' }>): void {
    const text = `${toolUseId} ${visible(name)} ${oneLine(visibleJson(input), SHORT)}`;
    this.#running.set(toolUseId, { text, since: time, told: false });
    this.#timer.refresh();
  }

  /** Another line has shown the call. */
  shown(toolUseId: string): void {
    const call = this.#running.get(toolUseId);
    if (call !== undefined) call.told = true;
  }

  /** A call that waited for a decision runs from now on. */
  released(toolUseId: string, time: number): void {
    const call = this.#running.get(toolUseId);
    if (call !== undefined) call.since = time;
  }

  settled(fact: Extract<Fact, { type: 'tool.result' | 'tool.error' }>): void {
    const { toolUseId, name, time, ran } = fact;
    const call = this.#running.get(toolUseId);
    this.#running.delete(toolUseId);
    const text = call === undefined || call.told ? `${toolUseId} ${visible(name)}` : call.text;
    const took = ran === undefined ? time - (call?.since ?? time) : ran.end - ran.start;
    const outcome =
      fact.type === 'tool.error' ? `✗ ${oneLine(visible(fact.error.message))}` : `→ ${short(resultText(fact.content))}`;
    this.say(`${text} ${outcome}${took > LONG ? ` (${seconds(took)})` : ''}`);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    for (const call of this.#running.values()) {
      if (!call.told) this.say(`${call.text} …`);
      call.told = true;
    }
  }
}

function short(text: string): string {
  return oneLine(text, SHORT);
}
