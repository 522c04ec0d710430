import { styleText } from 'node:util';
import type { ContentPart, Fact } from 'holdfast';

type Style = Parameters<typeof styleText>[0];

/** Maximum characters of a line of a tool's result. */
const WIDTH = 72;

/** The output for the person at the terminal. */
export class Screen {
  #started = Date.now();
  readonly #colours: boolean;

  constructor(
    private readonly out: NodeJS.WriteStream,
    private readonly folder: string,
  ) {
    this.#colours = out.isTTY && process.env.NO_COLOR === undefined;
  }

  heading(text: string): void {
    this.#line(`\n${this.#paint('bold', text)}`);
  }

  field(name: string, value: string, note = ''): void {
    this.#line(`  ${name.padEnd(9)} ${value}${note === '' ? '' : this.#paint('dim', `  ${note}`)}`);
  }

  files(names: readonly string[]): void {
    for (const name of names) this.#line(`  ${name}`);
  }

  renamed(pairs: readonly { from: string; to: string }[]): void {
    const width = Math.max(0, ...pairs.map(({ to }) => to.length));
    for (const { from, to } of pairs) {
      this.#line(`  ${this.#paint('green', to.padEnd(width))}  ${this.#paint('dim', `was ${from}`)}`);
    }
  }

  /** The worker's log, shown only on request: a worker that is being killed causes many warnings. */
  log(line: string): void {
    if (process.env.HOLDFAST_DEBUG !== undefined) this.#line(this.#paint('dim', line));
  }

  note(text: string): void {
    this.#step('!', 'yellow', text);
  }

  problem(text: string): void {
    this.#line(this.#paint('red', text));
  }

  /** Starts the clock of the steps. */
  begin(): void {
    this.#started = Date.now();
  }

  /** One step of the agent, as it happens. */
  fact(fact: Fact): void {
    const told = this.#told(fact);
    if (told !== undefined) this.#step(...told);
  }

  #told(fact: Fact): [mark: string, style: Style, text: string] | undefined {
    switch (fact.type) {
      case 'loop.iteration':
        return ['·', 'dim', `turn ${fact.turn}: the model thinks`];
      case 'message': {
        const said = fact.message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
        const isWords = fact.message.role === 'assistant' && said !== '' && !said.startsWith('{');
        return isWords ? ['“', 'cyan', this.#short(said)] : undefined;
      }
      case 'tool.call':
        return ['→', 'blue', `${fact.name} ${this.#short(Object.values(fact.input).map(String).join(' → '))}`];
      case 'tool.result':
        return ['✓', 'green', `${fact.name}: ${this.#short(fact.content.map(textOf).join(' '))}`];
      case 'tool.error':
        return ['✗', 'red', `${fact.name}: ${this.#short(fact.error.message)}`];
      case 'output.rejected':
        return ['✗', 'red', `the answer was sent back: ${this.#short(fact.error)}`];
      case 'loop.end':
        return ['■', 'bold', `${fact.reason} after ${fact.turns} turns`];
      default:
        return undefined;
    }
  }

  #step(mark: string, style: Style, text: string): void {
    const seconds = ((Date.now() - this.#started) / 1000).toFixed(1).padStart(6);
    this.#line(`${this.#paint('dim', `${seconds} s`)}  ${this.#paint(style, mark)} ${text}`);
  }

  /** A text as one line, with names instead of paths. */
  #short(text: string): string {
    const line = text.replaceAll(`${this.folder}/`, '').replaceAll(this.folder, '.').replace(/\s+/g, ' ').trim();
    return line.length <= WIDTH ? line : `${line.slice(0, WIDTH - 1)}…`;
  }

  #paint(style: Style, text: string): string {
    return this.#colours ? styleText(style, text) : text;
  }

  #line(text: string): void {
    this.out.write(`${text}\n`);
  }
}

function textOf(part: ContentPart): string {
  return part.type === 'text' ? part.text : `[${part.mediaType}]`;
}
