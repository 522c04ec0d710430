import fc from 'fast-check';
import { TranscriptCache } from '../../../activities/run/transcripts';
import type { Message } from '../../../agent/model/message';
import { TranscriptIndex, transcriptPage } from '../../../agent/model/transcript';
import type { CallModelInput } from '../../../agent/protocol/calls/model-call';

const message = (n: number): Message => ({ role: 'user', parts: [{ type: 'text', text: `message ${n}` }], turn: n });
const transcript = (length: number) => Array.from({ length }, (_, i) => message(i));

function input(messages: Message[], from: number, options: { epoch?: number; delta?: boolean } = {}): CallModelInput {
  const { epoch = 0, delta = true } = options;
  const index = new TranscriptIndex();
  return {
    pin: { manifest: '', context: '' },
    turn: 1,
    lifecycle: 'init',
    model: 'default',
    prefix: index.ref(messages, epoch, from),
    transcript: index.ref(messages, epoch),
    ...(delta ? { delta: messages.slice(from) } : {}),
  };
}

/** A run that can be asked for pages, and counts the requests. */
function run(messages: Message[], epoch = 0, pageSize = 3) {
  const fetch = jest.fn(async (from: number) => ({
    ...transcriptPage(messages, epoch, from),
    messages: messages.slice(from, from + pageSize),
  }));
  return fetch;
}

describe('TranscriptCache', () => {
  it('needs nothing from the run while each delta follows what it has', async () => {
    const cache = new TranscriptCache();
    const all = transcript(6);
    const fetch = run(all);
    await cache.load('r', input(all.slice(0, 2), 0), fetch);
    await cache.load('r', input(all.slice(0, 4), 2), fetch);
    expect(await cache.load('r', input(all, 4), fetch)).toEqual(all);
    expect(fetch).not.toHaveBeenCalled();
  });

  it('fetches everything in pages when it knows nothing', async () => {
    const all = transcript(7);
    const fetch = run(all);
    expect(await new TranscriptCache().load('r', input(all, 5), fetch)).toEqual(all);
    expect(fetch.mock.calls.map(([from]) => from)).toEqual([0, 3, 6]);
  });

  it('fetches only the new messages when the delta was too large to be sent', async () => {
    const cache = new TranscriptCache();
    const all = transcript(5);
    const fetch = run(all);
    await cache.load('r', input(all.slice(0, 3), 0), fetch);
    expect(await cache.load('r', input(all, 3, { delta: false }), fetch)).toEqual(all);
    expect(fetch.mock.calls.map(([from]) => from)).toEqual([3]);
  });

  it('serves a second attempt at the same call from what the first kept', async () => {
    const cache = new TranscriptCache();
    const all = transcript(4);
    const fetch = run(all);
    await cache.load('r', input(all.slice(0, 2), 0), fetch);
    await cache.load('r', input(all, 2), fetch);
    expect(await cache.load('r', input(all, 2), fetch)).toEqual(all);
    expect(fetch).not.toHaveBeenCalled();
  });

  it('does not accept a prefix with another hash', async () => {
    const cache = new TranscriptCache();
    const wrong = [{ ...message(0), turn: 99 }, message(1)];
    await cache.load('r', input(wrong, 0), run(wrong));
    const all = transcript(4);
    const fetch = run(all);
    expect(await cache.load('r', input(all, 2), fetch)).toEqual(all);
    expect(fetch).toHaveBeenCalled();
  });

  it('forgets a past that was rewritten', async () => {
    const cache = new TranscriptCache();
    const before = transcript(4);
    await cache.load('r', input(before, 0), run(before));
    const after = [message(10), message(11), message(12)];
    const fetch = run(after, 1);
    expect(await cache.load('r', input(after, 0, { epoch: 1 }), fetch)).toEqual(after);
  });

  it('fails rather than guesses when the run returns another transcript', async () => {
    const all = transcript(3);
    const other = transcript(3).map((m) => ({ ...m, turn: 7 }));
    await expect(new TranscriptCache().load('r', input(all, 2), run(other))).rejects.toMatchObject({ type: 'RunLost' });
  });

  it('has the message that was expected to follow, as it was then', async () => {
    const cache = new TranscriptCache();
    const all = transcript(5);
    const fetch = run(all);
    await cache.load('r', input(all.slice(0, 2), 0), fetch);
    const expected = structuredClone(all[2] as Message);
    cache.expect('r', input(all.slice(0, 2), 0).transcript, expected);
    expected.parts.push({ type: 'text', text: 'a tool has changed its arguments' });
    expect(await cache.load('r', input(all, 3), fetch)).toEqual(all);
    expect(fetch).not.toHaveBeenCalled();
  });

  it('drops a message that was expected, and did not follow', async () => {
    const cache = new TranscriptCache();
    const all = transcript(4);
    const fetch = run(all);
    const sent = await cache.load('r', input(all.slice(0, 2), 0), fetch);
    cache.expect('r', input(all.slice(0, 2), 0).transcript, message(99));
    expect(sent).toEqual(all.slice(0, 2));
    expect(await cache.load('r', input(all, 2), fetch)).toEqual(all);
    // A late attempt at the call before adds nothing to what is known now.
    cache.expect('r', input(all.slice(0, 2), 0).transcript, message(99));
    cache.expect('other', input(all, 0).transcript, message(99));
    expect(await cache.load('r', input(all, 2), fetch)).toEqual(all);
    expect(fetch).not.toHaveBeenCalled();
  });

  it('fetches only what other workers have added since its last call', async () => {
    const cache = new TranscriptCache();
    const all = transcript(9);
    const fetch = run(all);
    await cache.load('r', input(all.slice(0, 4), 0), fetch);
    expect(await cache.load('r', input(all, 7), fetch)).toEqual(all);
    expect(fetch.mock.calls.map(([from]) => from)).toEqual([4, 7]);
  });

  it('returns the same transcript whatever calls it has seen, retried, missed or forgotten', async () => {
    const step = fc.record({
      grow: fc.integer({ min: 1, max: 4 }),
      forget: fc.boolean(),
      twice: fc.boolean(),
      delta: fc.boolean(),
      expected: fc.constantFrom('right', 'wrong', 'nothing'),
      known: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        let cache = new TranscriptCache();
        let length = 0;
        for (const { grow, forget, twice, delta, expected, known } of steps) {
          const { transcript: sent } = input(transcript(length), length);
          if (expected !== 'nothing') cache.expect('r', sent, message(expected === 'right' ? length : -1));
          const from = length + (known ? 1 : 0);
          length += grow;
          const all = transcript(length);
          if (forget) cache = new TranscriptCache();
          for (let i = 0; i < (twice ? 2 : 1); i++) {
            expect(await cache.load('r', input(all, from, { delta }), run(all))).toEqual(all);
          }
        }
      }),
    );
  });
});
