import { HoldfastError } from '../../agent/errors/error';
import { orHoldfastError } from '../../client/requests/client-error';

/** Milliseconds without a server after which a reader gives up. */
const LONGEST = 60_000;

/** How long no server has answered. */
export class Absence {
  readonly #over = new AbortController();
  #since: number | undefined;
  constructor(private readonly longest: number = LONGEST) {}

  /** Why reading was given up. */
  error: HoldfastError | undefined;

  /** Aborted when reading is given up. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** A server answers. */
  end(): void {
    this.#since = undefined;
  }

  /** The problem, if it is that no server answers. */
  note(error: unknown, id: string): string | undefined {
    const known = orHoldfastError(error, id);
    if (!(known instanceof HoldfastError && known.type === 'NoServer')) return undefined;
    this.#since ??= Date.now();
    if (Date.now() - this.#since > this.longest) {
      this.error = known;
      this.#over.abort();
    }
    return known.message;
  }
}
