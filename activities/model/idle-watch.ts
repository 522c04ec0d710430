/** Fires once after so many milliseconds without a {@link touch}. */
export class IdleWatch {
  private timer: NodeJS.Timeout;
  /** The silence lasted too long. */
  expired = false;

  constructor(
    readonly limit: number,
    private readonly onExpired: () => void,
  ) {
    this.timer = this.armed(limit);
  }

  touch(): void {
    if (!this.expired) this.timer.refresh();
  }

  /** From now on this silence is enough; never longer than the first. */
  shorten(limit: number): void {
    if (this.expired || limit >= this.limit) return;
    clearTimeout(this.timer);
    this.timer = this.armed(limit);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private armed(limit: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.expired = true;
      this.onExpired();
    }, limit);
  }
}
