/** Looks at runs that one process may take in a second: a thousand watched runs must not load the server. */
const PER_SECOND = 100;

/** A look that waits for its turn. */
export interface Look {
  /** Something is known to have happened: it goes before those that only look after their runs. */
  urgent: boolean;
}

interface Waiting {
  look: Look;
  begin(): void;
}

/** Spaces looks out over time: the urgent ones first, each kind in the order in which they came. */
export class LookPace {
  readonly #gap: number;
  #next = 0;
  readonly #line: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(perSecond = PER_SECOND) {
    this.#gap = 1000 / perSecond;
  }

  /** Resolves when the look may be taken; it may become urgent while it waits. */
  async turn(look: Look, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#line.length === 0) this.#next = Math.max(this.#next, performance.now());
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#line.splice(this.#line.indexOf(waiting), 1);
        reject(signal.reason);
      };
      const begin = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiting = { look, begin };
      signal.addEventListener('abort', leave, { once: true });
      this.#line.push(waiting);
      this.#serve();
    });
  }

  #serve(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    while (this.#line.length > 0 && this.#next <= now) {
      const urgent = this.#line.findIndex(({ look }) => look.urgent);
      const [first] = this.#line.splice(Math.max(0, urgent), 1);
      this.#next += this.#gap;
      first?.begin();
    }
    if (this.#line.length > 0) this.#timer = setTimeout(() => this.#serve(), this.#next - now);
  }
}

/** Of all runs that this process watches. */
export const LOOKS = new LookPace();
