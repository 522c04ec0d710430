/** An error that the server answered with. `type` is stable, `message` says what to do. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** The server did not answer: the network, or the server, is away. */
export class AwayError extends Error {
  constructor() {
    super('The server does not answer.');
    this.name = 'AwayError';
  }
}

/** Later, the same request may succeed: the server, its worker or Temporal is away, or there were too many requests. */
export function isPassing(error: unknown): boolean {
  return error instanceof AwayError || (error instanceof ApiError && (error.status === 503 || error.status === 429));
}

/** The error in the body of an answer, also where a proxy in between has answered in its own form. */
export function apiErrorOf(status: number, body: string): ApiError {
  const { type, message } = errorIn(body);
  return new ApiError(status, type ?? `Status${status}`, message ?? `The server answered with status ${status}.`);
}

function errorIn(body: string): { type?: string; message?: string } {
  try {
    const { error } = JSON.parse(body) as { error?: { type?: unknown; message?: unknown } };
    return {
      ...(typeof error?.type === 'string' ? { type: error.type } : {}),
      ...(typeof error?.message === 'string' ? { message: error.message } : {}),
    };
  } catch {
    return {};
  }
}

/** What an error says to people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
