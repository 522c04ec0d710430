/** A server that could not be started or reached, or did not list its tools. It knows no names: its callers add the agent's key of the server. */
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

/** The server has forgotten the session, and so did nothing of what it was asked: a new session may be asked again. */
export class SessionExpired extends ServerFailure {
  override readonly name = 'SessionExpired';
}
