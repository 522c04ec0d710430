import type { StreamDelta } from '../../../agent/protocol/stream';

/** Characters of a line of text, so that a paragraph without line feeds can be read while it is written. */
const WIDTH = 76;

type Kind = 'text' | 'thinks';

/** Pieces of an answer as lines. An incomplete line waits for the rest, or for the next fact. */
export class DeltaLines {
  #text = '';
  #kind: Kind = 'text';
  #turn: number | undefined;
  /** The turn of which lines were printed that may still be withdrawn. */
  #shown: number | undefined;

  constructor(private readonly say: (kind: string, line: string) => void) {}

  note(delta: StreamDelta): void {
    switch (delta.type) {
      case 'stream.text':
        this.add(delta);
        break;
      case 'stream.reasoning':
        this.#add('thinks', delta);
        break;
      case 'stream.clear':
        if (this.withdraw(delta.turn)) this.say('again', 'the output of this turn so far is withdrawn');
        break;
      case 'stream.complete':
        this.flush();
        break;
      case 'tool.progress':
        this.say('does', progressText(delta));
        break;
      case 'stream.tool':
      // The complete call follows as a fact.
    }
  }

  /** Prints the incomplete line. */
  flush(): void {
    if (this.#text !== '') this.#print(this.#text);
    this.#text = '';
  }

  /** Prints the whole words of the incomplete line, since a line of another kind follows. The last one may go on after it. */
  pause(): void {
    const end = this.#text.search(/\s\S*$/) + 1;
    const words = this.#text.slice(0, end).trimEnd();
    if (words.trim() === '') return;
    this.#text = this.#text.slice(end);
    this.#print(words);
  }

  /** Forgets the incomplete line. Returns whether other lines of the turn have been printed. */
  withdraw(turn: number): boolean {
    const shown = this.#shown === turn;
    this.#text = '';
    this.#shown = undefined;
    return shown;
  }

  /** Adds text that may still be withdrawn. */
  add(piece: { text: string; turn: number }): void {
    this.#add('text', piece);
  }

  #add(kind: Kind, { text, turn }: { text: string; turn: number }): void {
    if (kind !== this.#kind) this.flush();
    this.#kind = kind;
    this.#turn = turn;
    const lines = (this.#text + text).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) this.#print(this.#fold(line));
    this.#text = this.#fold(this.#text);
  }

  #print(line: string): void {
    this.#shown = this.#turn;
    this.say(this.#kind, line);
  }

  /** Prints all but the last line of a text that is too long for one, and returns the last. */
  #fold(text: string): string {
    let rest = text;
    while (rest.length > WIDTH) {
      const line = rest.slice(0, rest.lastIndexOf(' ', WIDTH) + 1);
      // Words are not broken, and an indent alone is not a line.
      if (line.trim() === '') break;
      this.#print(line.trimEnd());
      rest = rest.slice(line.length);
    }
    return rest;
  }
}

function progressText({
  toolUseId,
  progress,
  total,
  message,
}: Extract<StreamDelta, { type: 'tool.progress' }>): string {
  const far = `${progress}${total === undefined ? '' : ` of ${total}`}`;
  return `${toolUseId} ${far}${message === undefined ? '' : `, ${message}`}`;
}
