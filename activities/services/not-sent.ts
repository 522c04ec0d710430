/** An event that an outlet could not send. It does not know the outlet's name: the caller adds it. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  /** Another attempt may succeed. */
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
