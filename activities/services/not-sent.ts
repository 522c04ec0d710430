/** An event that an outlet could not send. It knows no name of the outlet: whoever calls adds it. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  /** Another attempt may do better. */
  readonly retry: boolean;
  /** Milliseconds that the receiver asks to wait. */
  readonly wait: number | undefined;

  /** @param problem one line without secrets */
  constructor(
    readonly problem: string,
    { retry, wait }: { retry: boolean; wait?: number | undefined },
  ) {
    super(problem);
    this.retry = retry;
    this.wait = wait;
  }
}
