import type { StreamDelta } from '../agent/stream';

/** Pieces of an answer as whole lines: what has no line feed yet waits for the rest, or for the next fact. */
export class DeltaLines {
  #text = '';
  #kind: 'text' | 'thinks' = 'text';

  constructor(private readonly say: (kind: string, line: string) => void) {}

  note(delta: StreamDelta): void {
    switch (delta.type) {
      case 'stream.text':
        return this.#add('text', delta.text);
      case 'stream.reasoning':
        return this.#add('thinks', delta.text);
      case 'stream.clear':
        this.flush();
        return this.say('again', 'what this turn has shown is taken back');
      case 'tool.progress': {
        const { toolUseId, progress, total, message } = delta;
        const far = `${progress}${total === undefined ? '' : ` of ${total}`}`;
        return this.say('does', `${toolUseId} ${far}${message === undefined ? '' : `, ${message}`}`);
      }
      case 'stream.complete':
        return this.flush();
      case 'stream.tool':
        // The call itself follows as a fact, whole.
        return;
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
