/** Milliseconds: the most that a timer can hold; a longer one would fire at once. */
const MAX_TIMER = 2 ** 31 - 1;
/** Milliseconds: a timer that fires later than this was held up by its own process. */
const LATE = 50;
/** Milliseconds at most in which a process that was held up reads what has arrived. */
const TO_READ = 1000;

/** Why an answer is no longer waited for. */
export type WatchEnd = 'silence' | 'time';

/**
 * Fires once: after a silence without a {@link touch}, or when the time for the whole answer is over. A process that was
 * too busy to read what had arrived runs its timers first; it reads before it counts as silence.
 */
export class AnswerWatch {
  /** Set when it has fired. */
  ended: WatchEnd | undefined;
  private silence: NodeJS.Timeout;
  private readonly time: NodeJS.Timeout;
  private reading: NodeJS.Timeout | undefined;
  private touched = performance.now();

  /** @param limits milliseconds */
  constructor(
    private readonly limits: { silence: number; time: number },
    private readonly onEnd: () => void,
  ) {
    this.silence = this.armedSilence();
    this.time = setTimeout(() => this.end('time'), Math.min(limits.time, MAX_TIMER));
  }

  touch(): void {
    if (this.ended !== undefined) return;
    this.touched = performance.now();
    this.silence.refresh();
  }

  /** Shortens the allowed silence from now on; a longer limit has no effect. */
  shorten(limit: number): void {
    if (this.ended !== undefined || limit >= this.limits.silence) return;
    this.limits.silence = limit;
    this.touched = performance.now();
    clearTimeout(this.silence);
    this.silence = this.armedSilence();
  }

  stop(): void {
    clearTimeout(this.silence);
    clearTimeout(this.time);
    clearTimeout(this.reading);
  }

  private armedSilence(): NodeJS.Timeout {
    const limit = Math.min(this.limits.silence, MAX_TIMER);
    return setTimeout(() => this.silent(performance.now() - this.touched - limit), limit);
  }

  private silent(late: number): void {
    const { touched } = this;
    const end = () => {
      if (this.touched === touched) this.end('silence');
    };
    if (late <= LATE) end();
    else this.reading = setTimeout(end, Math.min(late, TO_READ));
  }

  private end(why: WatchEnd): void {
    this.stop();
    this.ended ??= why;
    this.onEnd();
  }
}
