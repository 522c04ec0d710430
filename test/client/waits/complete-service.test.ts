import { AgentClient } from 'holdfast/client';
import { someEvent } from '../../activities/services/events';
import { serverOfWaiting } from './waiting-workflows';

let server: Awaited<ReturnType<typeof serverOfWaiting>>;
let client: AgentClient;
beforeAll(async () => {
  server = await serverOfWaiting();
  client = new AgentClient(server.client);
});
afterAll(() => server.close());

const answer = (subject: string) => someEvent({ subject, id: 'answer-1', type: 'evt.stock.check.success' });

test('the answer of a service is checked and reaches the run that its subject names', async () => {
  await server.start('asks');
  const given = { ...answer('asks'), parentid: 'first-run/t1.1', tracestate: null };
  await client.completeService(given as never);
  expect(await server.signals('asks')).toEqual([['serviceAnswer', { ...answer('asks'), parentid: 'first-run/t1.1' }]]);
});

test('data, and an error, reach one call of a run', async () => {
  await server.start('calls');
  await client.completeCall('calls', 't1.1', { data: { left: 3 } });
  await client.completeCall('calls', 't1.2', { error: 'sold out' });
  await client.completeCall('calls', 't1.3', { data: null });
  expect(await server.signals('calls')).toEqual([
    ['toolResult', { toolUseId: 't1.1', data: { left: 3 } }],
    ['toolResult', { toolUseId: 't1.2', error: 'sold out' }],
    ['toolResult', { toolUseId: 't1.3', data: null }],
  ]);
});

test('a run that never existed is not found', async () => {
  const refused = { type: 'RunNotFound', data: { id: 'never' } };
  await expect(client.completeService(answer('never'))).rejects.toMatchObject(refused);
  await expect(client.completeCall('never', 't1.1', { data: 1 })).rejects.toMatchObject(refused);
});

test.each<[string, () => Promise<unknown>]>([
  ['terminated', async () => (await server.start('terminated')).terminate('no more')],
  [
    'timed out',
    async () => {
      await server.start('timed out', { timeout: 1000 });
      await server.skip(2000);
    },
  ],
])('a run that has ended accepts no answer: %s', async (status, end) => {
  await end();
  const refused = {
    type: 'RunEnded',
    data: { id: status, status },
    message: `The run \`${status}\` has ended (${status}): it no longer waits for anything.`,
  };
  await expect(client.completeService(answer(status))).rejects.toMatchObject(refused);
  await expect(client.completeCall(status, 't1.1', { error: 'late' })).rejects.toMatchObject(refused);
});

test('an invalid event or answer is refused before anything is sent', async () => {
  await server.start('untouched');
  const large = 'x'.repeat(1024 * 1024);
  const given = [
    client.completeService({ ...answer('untouched'), type: '' }),
    client.completeService({ ...answer('untouched'), data: large }),
    client.completeService(undefined as never),
    client.completeCall('untouched', '', { data: 1 }),
    client.completeCall('untouched', 't1.1', { data: large }),
    client.completeCall('untouched', 't1.1', { error: large }),
    client.completeCall('untouched', 't1.1', {} as never),
    client.completeCall('untouched', 't1.1', { data: 1, error: 'both' } as never),
    client.completeCall('untouched', 't1.1', { error: 7 } as never),
  ];
  for (const one of await Promise.allSettled(given)) {
    expect(one).toMatchObject({ status: 'rejected', reason: { type: 'InvalidEvent' } });
  }
  expect(await server.signals('untouched')).toEqual([]);
});
