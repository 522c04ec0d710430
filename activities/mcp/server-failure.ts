/** A server that could not be started, or did not list its tools. It knows no names: its callers add the agent's key of the server. */
export class ServerFailure extends Error {
  override readonly name = 'ServerFailure';

  constructor(
    /** One line that says what happened. */
    readonly problem: string,
    cause?: unknown,
  ) {
    super(problem, { cause });
  }
}
