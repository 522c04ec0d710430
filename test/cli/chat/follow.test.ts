import type { Fact } from '../../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../../agent/protocol/stream';
import { ChatFollow } from '../../../cli/chat/follow';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A chat whose run tells these events, one for each call of `tell`. */
function chatOf(problem: string) {
  const conversation = { isMine: () => true, client: {}, id: 'desk-7' } as never;
  const follow = new ChatFollow(conversation, { show: () => undefined, changed: () => undefined }, async () => problem);
  const said: string[] = [];
  const unwatch = follow.watch((text) => said.push(text));
  const tell = (event: object) =>
    follow.follow(
      {
        events: async function* () {
          yield event as Fact | StreamDelta;
        },
      } as never,
      0,
      new AbortController().signal,
    );
  follow.lines.busy = { exchange: 1, since: Date.now() };
  return { follow, said, tell, unwatch };
}

test('why nothing happens is said once, however often the model is asked again', async () => {
  const { follow, said, tell, unwatch } = chatOf('asking the model: attempt 2, 503');
  await jest.advanceTimersByTimeAsync(4000);
  await tell({ type: 'stream.clear', id: 'desk-7', turn: 1, callId: 'm1', attempt: 3, seq: 0 });
  await jest.advanceTimersByTimeAsync(4000);
  expect(said).toEqual(['asking the model: attempt 2, 503']);
  expect(follow.problem).toBe('asking the model: attempt 2, 503');
  await tell({ type: 'stream.text', text: 'Hi', id: 'desk-7', turn: 1, callId: 'm1', attempt: 3, seq: 1 });
  expect(follow.problem).toBeUndefined();
  unwatch();
});
