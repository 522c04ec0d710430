interface Said {
  /** HTTP status. */
  status?: number | undefined;
  /** The provider's `code` and `type`, and the field that it names, joined. */
  code?: string | undefined;
  /** Headers of the answer. */
  headers?: Headers | undefined;
}

/** An error that a provider answers with, in the form that every adapter gives it. */
export class ModelServerError extends Error {
  override readonly name = 'ModelServerError';
  readonly status: number | undefined;
  readonly code: string;
  readonly headers: Headers | undefined;

  constructor(message: string, { status, code = '', headers }: Said = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}
