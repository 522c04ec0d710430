import type { StreamDelta } from '../../agent/protocol/stream';

/** Characters of a line of text, so that a paragraph without line feeds can be read while it is written. */
const WIDTH = 76;

/** Pieces of an answer as lines. An incomplete line waits for the rest, or for the next fact. */
export class DeltaLines {
  #text = '';
  #kind: 'text' | 'thinks' = 'text';

  constructor(private readonly say: (kind: string, line: string) => void) {}

  note(delta: StreamDelta): void {
    switch (delta.type) {
      case 'stream.text':
        this.#add('text', delta.text);
        break;
      case 'stream.reasoning':
        this.#add('thinks', delta.text);
        break;
      case 'stream.clear':
        this.flush();
        this.say('again', 'the output of this turn so far is withdrawn');
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
    if (this.#text !== '') this.say(this.#kind, this.#text);
    this.#text = '';
  }

  #add(kind: 'text' | 'thinks', text: string): void {
    if (kind !== this.#kind) this.flush();
    this.#kind = kind;
    const lines = (this.#text + text).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) this.say(kind, this.#fold(kind, line));
    this.#text = this.#fold(kind, this.#text);
  }

  /** Prints all but the last line of a text that is too long for one, and returns the last. */
  #fold(kind: 'text' | 'thinks', text: string): string {
    let rest = text;
    while (rest.length > WIDTH) {
      const line = rest.slice(0, rest.lastIndexOf(' ', WIDTH) + 1);
      // Words are not broken, and an indent alone is not a line.
      if (line.trim() === '') break;
      this.say(kind, line.trimEnd());
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
