import { cancelCalls } from './cancels';
import { PROVIDERS } from './wires';

/** Milliseconds from a cancel until its socket is closed, at the 95th percentile. */
const MOST = 40;

test.each(PROVIDERS.map((kind) => [kind.name, kind] as const))(
  '30 cancels close the socket to %s within 40 ms at the 95th percentile',
  async (_, kind) => {
    // The first call loads what the others find there.
    await cancelCalls(kind, 1);
    const times = (await cancelCalls(kind, 30)).sort((a, b) => a - b);
    const p95 = times[Math.ceil(0.95 * times.length) - 1] ?? Number.POSITIVE_INFINITY;
    expect({ times, isQuick: p95 <= MOST }).toEqual({ times, isQuick: true });
  },
);
