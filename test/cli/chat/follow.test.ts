import type { Fact } from '../../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../../agent/protocol/stream';
import { outageText } from '../../../agent/state/outage-text';
import { ChatFollow } from '../../../cli/chat/follow';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A chat whose run tells these events, one for each call of `tell`. */
function chatOf(first: string) {
  let problem = first;
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
  const becomes = async (text: string) => {
    problem = text;
    await jest.advanceTimersByTimeAsync(4000);
  };
  return { follow, said, tell, unwatch, becomes };
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

test('attempts that fail in the same way, a message meanwhile and the next wait are one reason', async () => {
  const about = { id: 'desk-7', exchange: 1, time: 0, index: 3 };
  const error = { type: 'ModelUnavailable', message: '503' };
  const { follow, said, tell, unwatch, becomes } = chatOf('asking the model: attempt 2, 503');
  await jest.advanceTimersByTimeAsync(4000);
  await becomes('asking the model: attempt 3, 503');
  expect(follow.problem).toBe('asking the model: attempt 3, 503');
  await tell({ ...about, type: 'message.received', into: 2, ahead: 1, id: 'x' });
  await becomes('asking the model: attempt 4, 503');
  await tell({ ...about, type: 'model.waiting', turn: 1, model: 'm', attempt: 1, since: 0, nextAt: 60_000, error });
  await becomes('asking the model: attempt 1, 503');
  expect(said).toEqual(['asking the model: attempt 2, 503']);
  await becomes('asking the model: attempt 2, 401');
  await tell({ ...about, type: 'loop.iteration', turn: 2, lifecycle: 'message' });
  await becomes('asking the model: attempt 3, 401');
  expect(said.slice(1)).toEqual(['asking the model: attempt 2, 401', 'asking the model: attempt 3, 401']);
  unwatch();
});

test('the outage of its own model is left to the fact, also where the fact comes later than it is found', async () => {
  const told = { model: 'default', failures: 1, error: { type: 'ModelUnavailable', message: '503' } };
  const { follow, said, unwatch, becomes } = chatOf(outageText({ ...told, since: 0, nextAt: 60_000 }));
  await jest.advanceTimersByTimeAsync(4000);
  await becomes(outageText(told));
  expect([said, follow.problem]).toEqual([[], undefined]);
  await becomes(`The agent \`below\` (run \`x\`) is held up. ${outageText(told)}`);
  expect(said).toHaveLength(1);
  unwatch();
});
