import { getEventListeners, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { linkedAbort, whileLinked } from '../../../runtime/abort/linked-abort';
import { within } from '../../../runtime/abort/within';
import { collectGarbage } from '../../measure/collect-garbage';

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

it('aborts with the first of several, for its reason', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const { signal } = linkedAbort(one.signal, undefined, other.signal);
  expect(signal.aborted).toBe(false);
  other.abort('first');
  one.abort('second');
  expect(signal.reason).toBe('first');
});

it('is aborted already if one of them is', () => {
  const open = new AbortController();
  const { signal } = linkedAbort(open.signal, AbortSignal.abort('gone'));
  expect(signal.reason).toBe('gone');
  expect(listenersOf(open.signal)).toBe(0);
});

it.each<[string, (open: AbortController, link: ReturnType<typeof linkedAbort>) => void]>([
  ['it aborts', (_, { abort }) => abort()],
  ['it is unlinked', (_, { unlink }) => unlink()],
  ['another one aborts', (open) => open.abort()],
])('leaves nothing at a signal that goes on once %s', (_, end) => {
  const [lasting, other] = [new AbortController(), new AbortController()];
  const link = linkedAbort(lasting.signal, other.signal);
  expect(listenersOf(lasting.signal)).toBe(1);
  end(other, link);
  expect([lasting, other].map(({ signal }) => listenersOf(signal))).toEqual([0, 0]);
});

it('follows one signal as often as needed, without a warning', async () => {
  const warned = jest.fn();
  process.on('warning', warned);
  const { signal } = new AbortController();
  const links = Array.from({ length: 20 }, () => linkedAbort(signal));
  await setImmediate();
  process.off('warning', warned);
  for (const { unlink } of links) unlink();
  expect(warned).not.toHaveBeenCalled();
});

it('may have as many listeners as a request has attempts, without a warning', async () => {
  const warned = jest.fn();
  process.on('warning', warned);
  const { signal } = linkedAbort(new AbortController().signal);
  for (let attempt = 0; attempt < 20; attempt++) signal.addEventListener('abort', () => undefined);
  await setImmediate();
  process.off('warning', warned);
  expect(warned).not.toHaveBeenCalled();
});

it.each([
  ['succeeds', () => Promise.resolve()],
  ['fails', () => Promise.reject(new Error('no'))],
])('follows no longer than the work, also if it %s', async (_, work) => {
  const { signal } = new AbortController();
  await whileLinked([signal], async () => {
    expect(listenersOf(signal)).toBe(1);
    await work();
  }).catch(() => undefined);
  expect(listenersOf(signal)).toBe(0);
});

it('hears a time-out that nothing else refers to', async () => {
  const { signal } = linkedAbort(new AbortController().signal, AbortSignal.timeout(500));
  const heard = once(signal, 'abort');
  await collectGarbage();
  await heard;
  expect(signal.reason.name).toBe('TimeoutError');
});

it('ends work that does not end in time', async () => {
  const ended = within(500, new AbortController().signal, () => new Promise(() => undefined));
  const refused = expect(ended).rejects.toMatchObject({ name: 'TimeoutError', message: 'no answer in 500 ms' });
  await collectGarbage();
  await refused;
});

it('keeps nothing of work whose listener stays', async () => {
  const { signal } = new AbortController();
  const work = async () => {
    const large = { bytes: Buffer.alloc(1000) };
    await whileLinked([signal], async (own) => own.addEventListener('abort', () => large.bytes.fill(1)));
    return new WeakRef(large);
  };
  const left = await work();
  await collectGarbage();
  expect(left.deref()).toBeUndefined();
});
