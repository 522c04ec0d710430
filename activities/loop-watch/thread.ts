/** What both threads share: a counter of ticks of the event loop, and the length of the text that follows. */
export const SHARED = { tick: 0, length: 1, bytes: 8, text: 16_384 } as const;

/** What the thread is given. */
export interface ThreadData {
  shared: SharedArrayBuffer;
  /**
   * After this many milliseconds without a tick it reports what blocks, and then again each time the wait has doubled.
   */
  after: number;
}

/**
 * The code of the thread: it reports what blocks the worker while it blocks, since the worker itself cannot. It is
 * source text, since a thread loads no TypeScript when the package runs from its sources.
 */
export const THREAD = `
const { workerData: { shared, after } } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const head = new Int32Array(shared, 0, 2);
const text = new Uint8Array(shared, ${SHARED.bytes});
const LOOK = 250;
let seen = -1, last = performance.now(), blocked = 0, next = after;
setInterval(() => {
  const now = performance.now();
  // If the machine slept, or this thread had no processor, nothing is known about the other one.
  const passed = Math.min(now - last, 2 * LOOK);
  last = now;
  const tick = Atomics.load(head, ${SHARED.tick});
  blocked = tick === seen ? blocked + passed : 0;
  if (tick !== seen) next = after;
  seen = tick;
  if (blocked < next) return;
  next *= 2;
  try {
    const about = JSON.parse(Buffer.from(text.slice(0, Atomics.load(head, ${SHARED.length}))).toString());
    const msg = about.before + ' ' + Math.round(blocked / 1000) + ' s' + about.after;
    writeSync(2, JSON.stringify({ level: about.calls.length > 0 ? 'error' : 'warn', time: Date.now(), calls: about.calls, msg }) + '\\n');
  } catch {
    // The text is being written, or standard error is closed.
  }
}, LOOK);
`;
