/** Milliseconds: the most that a timer can hold; a longer one would fire at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** Why an answer is no longer waited for. */
export type WatchEnd = 'silence' | 'time';

/** Fires once: after a silence without a {@link touch}, or when the time for the whole answer is over. */
export class AnswerWatch {
  /** Set when it has fired. */
  ended: WatchEnd | undefined;
  private silence: NodeJS.Timeout;
  private readonly time: NodeJS.Timeout;

  /** @param limits milliseconds */
  constructor(
    private readonly limits: { silence: number; time: number },
    private readonly onEnd: () => void,
  ) {
    this.silence = this.armed('silence', limits.silence);
    this.time = this.armed('time', limits.time);
  }

  touch(): void {
    if (this.ended === undefined) this.silence.refresh();
  }

  /** Shortens the allowed silence from now on; a longer limit has no effect. */
  shorten(limit: number): void {
    if (this.ended !== undefined || limit >= this.limits.silence) return;
    this.limits.silence = limit;
    clearTimeout(this.silence);
    this.silence = this.armed('silence', limit);
  }

  stop(): void {
    clearTimeout(this.silence);
    clearTimeout(this.time);
  }

  private armed(end: WatchEnd, limit: number): NodeJS.Timeout {
    return setTimeout(
      () => {
        this.stop();
        this.ended ??= end;
        this.onEnd();
      },
      Math.min(limit, MAX_TIMER),
    );
  }
}
