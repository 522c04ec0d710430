import { setTimeout as pause } from 'node:timers/promises';
import { ModelCallStopped } from '../../activities/model/answer/stream-answer';
import { newGate } from '../gate';
import { askIt, open } from './exchange';
import type { ProviderKind, WireStep } from './provider';

/** Longer than any test waits. */
const HOUR = 3_600_000;
const said = { reasoning: 'Let me think. '.repeat(5), text: 'Once upon a time. '.repeat(500), chunkSize: 6 };

/** What a provider does when a call is cancelled. */
const MOMENTS: readonly WireStep[] = [
  { text: 'late', delay: HOUR },
  { ...said, chunkDelay: 4 },
  { ...said, chunkDelay: HOUR },
  { ...said, fault: { kind: 'stall', after: 30 } },
  {
    text: 'Looking.',
    calls: [{ name: 'look_up', arguments: { q: 'x'.repeat(9000) } }],
    chunkSize: 6,
    chunkDelay: 4,
    fault: { kind: 'stall', after: 6000 },
  },
];

/**
 * Cancels this many calls, each at another moment, and returns the milliseconds from each cancel until the provider has
 * noticed it: its socket is closed.
 */
export async function cancelCalls(kind: ProviderKind, count: number): Promise<number[]> {
  const steps = Array.from({ length: count }, (_, i) => MOMENTS[i % MOMENTS.length] as WireStep);
  const provider = await open(kind, ...steps);
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const stop = new AbortController();
    const { open: beginning, opened: began } = newGate();
    const call = askIt(provider, { signal: stop.signal, onDelta: beginning }).catch((error: unknown) => error);
    const request = await provider.request(i + 1);
    // Before the headers, or from the first piece on; a little later each time.
    if (i % MOMENTS.length > 0) await began;
    await pause(i);
    const since = performance.now();
    stop.abort();
    await request.closed;
    times.push(performance.now() - since);
    expect(await call).toBeInstanceOf(ModelCallStopped);
  }
  expect(provider.requests).toHaveLength(count);
  return times;
}
