import type { Client } from '@temporalio/client';
import { unlessAborted } from '../../../runtime/temporal/unless-aborted';
import { collectGarbage } from '../../measure/collect-garbage';

/** A client as Temporal's: its listener stays on the signal that it is given. */
function newClient() {
  let request: WeakRef<object> | undefined;
  const client = {
    async withAbortSignal<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
      const sent = { cancelled: false };
      request = new WeakRef(sent);
      signal.addEventListener('abort', () => {
        sent.cancelled = true;
      });
      return call();
    },
  } as Client;
  return { client, request: () => request?.deref() };
}

it('keeps nothing of a request that has ended, while the signal of its caller lives on', async () => {
  const { client, request } = newClient();
  const caller = new AbortController();
  expect(await unlessAborted(client, caller.signal, async () => 'answer')).toBe('answer');
  expect(request()).toBeDefined();
  await collectGarbage();
  expect(request()).toBeUndefined();
  expect(caller.signal.aborted).toBe(false);
});

it('keeps nothing of a request that its caller has left', async () => {
  const { client, request } = newClient();
  const caller = new AbortController();
  const left = unlessAborted(client, caller.signal, async () => {
    caller.abort(new Error('left'));
    throw new Error('cancelled');
  });
  await expect(left).rejects.toThrow('left');
  await collectGarbage();
  expect(request()).toBeUndefined();
});
