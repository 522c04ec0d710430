interface FailureOptions {
  cause?: unknown;
  advice?: string | undefined;
  lasting?: boolean | undefined;
}

/**
 * A server that could not be started or reached, or did not list its tools. Callers add the name that the agent uses
 * for it.
 */
export class ServerFailure extends Error {
  override readonly name: string = 'ServerFailure';
  /** What to do about it, where that is known. */
  readonly advice: string | undefined;
  /** Trying again changes nothing: a person has to. */
  readonly lasting: boolean;

  constructor(
    /** One line that says what happened. */
    readonly problem: string,
    { cause, advice, lasting = false }: FailureOptions = {},
  ) {
    super(problem, { cause });
    this.advice = advice;
    this.lasting = lasting;
  }
}

/** The server has forgotten the session, so it did nothing: the request may be repeated in a new session. */
export class SessionExpired extends ServerFailure {
  override readonly name = 'SessionExpired';
}
