import { setTimeout as delay } from 'node:timers/promises';
import { settle } from '../../../activities/tools/settle';

it('gives a tool the time that it has, even if that is more than a timer can hold', async () => {
  const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const work = (signal: AbortSignal) => delay(20, 'done', { signal });
  const settled = settle(work, { cancelled: new AbortController().signal, timeout: 30 * 86_400_000 });
  await expect(settled).resolves.toEqual({ type: 'value', value: 'done' });
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});
