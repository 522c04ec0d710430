import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { shorten } from '../../../agent/values/shorten';

export const TIMED_OUT = Symbol('timed out');

/** Cancels `work` when a durable timer of `limit.ms` fires. Without `limit` there is no time limit. */
export async function within<T>(
  limit: { ms: number; summary: string } | undefined,
  work: () => Promise<T>,
): Promise<T | typeof TIMED_OUT> {
  if (limit === undefined) return work();
  const working = new CancellationScope();
  const clock = new CancellationScope();
  let late = false;
  clock
    .run(() => sleep(Math.max(1, limit.ms), { summary: shorten(limit.summary, 100) }))
    .then(
      () => {
        late = true;
        working.cancel();
      },
      () => undefined,
    );
  try {
    return await working.run(work);
  } catch (error) {
    if (late && isCancellation(error)) return TIMED_OUT;
    throw error;
  } finally {
    clock.cancel();
  }
}
