import { type Client, ServiceError } from '@temporalio/client';
import { throughOutages } from '../../../client/requests/through-outages';

const UNAVAILABLE = 14;
const PERMISSION_DENIED = 7;
const grpc = (code: number) => Object.assign(new Error(`code ${code}`), { code, details: '', metadata: {} });

/** A server that fails looks with these codes, and is there for the next one. */
function away(...codes: number[]) {
  let looks = 0;
  const getSystemInfo = async () => {
    const code = codes[looks++];
    if (code !== undefined) throw grpc(code);
  };
  const client = {
    withDeadline: (_deadline: number, call: () => unknown) => call(),
    withAbortSignal: (_signal: AbortSignal, call: () => unknown) => call(),
    workflowService: { getSystemInfo },
  };
  return { client: client as unknown as Client, looks: () => looks };
}

/** A wait that fails with these codes, and then has an end. */
function endAfter(...codes: number[]) {
  const left = [...codes];
  return async () => {
    const code = left.shift();
    if (code !== undefined) throw new ServiceError('no history', { cause: grpc(code) });
    return 'the end';
  };
}

it('begins the wait again once the server is back', async () => {
  const server = away(UNAVAILABLE, UNAVAILABLE);
  expect(await throughOutages(server.client, endAfter(UNAVAILABLE, UNAVAILABLE), {})).toBe('the end');
  expect(server.looks()).toBe(4);
});

it('gives up if the server is away for longer than `workerTimeout`', async () => {
  const { client, looks } = away(...Array(100).fill(UNAVAILABLE));
  await expect(throughOutages(client, endAfter(UNAVAILABLE), { workerTimeout: 1500 })).rejects.toThrow('code 14');
  expect(looks()).toBeLessThan(5);
});

it('gives up at an error that no time mends, of the wait and of a look', async () => {
  const denied = endAfter(PERMISSION_DENIED);
  await expect(throughOutages(away().client, denied, {})).rejects.toMatchObject({ cause: { code: PERMISSION_DENIED } });
  const looking = throughOutages(away(PERMISSION_DENIED).client, endAfter(UNAVAILABLE), {});
  await expect(looking).rejects.toMatchObject({ code: PERMISSION_DENIED });
});

it('ends with its signal while the server is away', async () => {
  const abort = new AbortController();
  const { client } = away(...Array(100).fill(UNAVAILABLE));
  const waiting = throughOutages(client, endAfter(UNAVAILABLE), { signal: abort.signal });
  setTimeout(() => abort.abort(new Error('left')), 100);
  await expect(waiting).rejects.toThrow('left');
});
