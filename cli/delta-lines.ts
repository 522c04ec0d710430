import type { StreamDelta } from '../agent/stream';

/** Pieces of an answer as whole lines: what has no line feed yet waits for the rest, or for the next fact. */
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
        this.say('again', 'what this turn has shown is taken back');
        break;
      case 'stream.complete':
        this.flush();
        break;
      case 'tool.progress':
        this.say('does', progressText(delta));
        break;
      case 'stream.tool':
      // The call itself follows as a fact, whole.
    }
  }

  /** Says what has no line feed yet. */
  flush(): void {
    if (this.#text !== '') this.say(this.#kind, this.#text);
    this.#text = '';
  }

  #add(kind: 'text' | 'thinks', text: string): void {
    if (kind !== this.#kind) this.flush();
    this.#kind = kind;
    const lines = (this.#text + text).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) this.say(kind, line);
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
