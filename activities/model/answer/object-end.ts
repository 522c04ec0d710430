import { closes, opens } from '../../json-extent';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Tells whether the pieces of a text form a whole JSON object so far, reading each character once. */
export class ObjectEnd {
  private depth = 0;
  private inText = false;
  private escaped = false;
  private state: 'before' | 'inside' | 'after' | 'other' = 'before';

  get isWhole(): boolean {
    return this.state === 'after';
  }

  add(piece: string): void {
    for (let i = 0; i < piece.length; i++) this.addUnit(piece.charCodeAt(i));
  }

  private addUnit(unit: number): void {
    if (this.inText) {
      if (this.escaped) this.escaped = false;
      else if (unit === BACKSLASH) this.escaped = true;
      else if (unit === QUOTE) this.inText = false;
    } else if (this.state === 'inside') {
      if (unit === QUOTE) this.inText = true;
      else if (opens(unit)) this.depth++;
      else if (closes(unit) && --this.depth === 0) this.state = 'after';
    } else if (this.state !== 'other' && unit > 0x20) {
      const isStart = this.state === 'before' && unit === 0x7b;
      this.state = isStart ? 'inside' : 'other';
      if (isStart) this.depth = 1;
    }
  }
}
