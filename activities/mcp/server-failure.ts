/**
 * A server that could not be started or reached, or did not list its tools. Callers add the name that the agent uses
 * for it.
 */
export class ServerFailure extends Error {
  override readonly name: string = 'ServerFailure';
  /** What to do about it, where that is known. */
  readonly advice: string | undefined;

  constructor(
    /** One line that says what happened. */
    readonly problem: string,
    { cause, advice }: { cause?: unknown; advice?: string | undefined } = {},
  ) {
    super(problem, { cause });
    this.advice = advice;
  }
}

/** The server has forgotten the session, so it did nothing: the request may be repeated in a new session. */
export class SessionExpired extends ServerFailure {
  override readonly name = 'SessionExpired';
}
