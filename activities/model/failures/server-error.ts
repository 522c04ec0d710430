import { isNamed } from './answer-fault';

interface Said {
  /** HTTP status. It decides whether the call is made again: after 408, 409, 425, 429 and 5xx. */
  status?: number | undefined;
  /** The provider's `code` and `type`, and the field that it names, joined by spaces, such as `context_length_exceeded`. */
  code?: string | undefined;
  /** Headers of the answer: `retry-after` and `retry-after-ms` are obeyed. */
  headers?: Headers | undefined;
  /** Milliseconds to wait, instead of what the headers say. */
  retryAfter?: number | undefined;
}

/** An error that a provider answers with, in the form that every adapter gives it. */
export class ModelServerError extends Error {
  /** Always `ModelServerError`. */
  override readonly name = 'ModelServerError';
  /** HTTP status. */
  readonly status: number | undefined;
  /** The provider's `code` and `type`, joined. */
  readonly code: string;
  /** Headers of the answer. */
  readonly headers: Headers | undefined;

  /** By shape: a model of a user's module may come from another copy of the package. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isNamed(error, 'ModelServerError') && typeof error.code === 'string';
  }

  /** @param message the provider's message, or your own */
  constructor(message: string, { status, code = '', headers, retryAfter }: Said = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = retryAfter === undefined ? headers : new Headers({ 'retry-after-ms': String(retryAfter) });
  }
}
