import { createSendEvent } from '../../../activities/services/send-event';
import type { SignalOutlet } from '../../../agent/define/outlet';
import { SILENT_LOG } from '../../../runtime/log';
import { serverOfWaiting } from '../../client/waits/waiting-workflows';
import { WATCH } from '../loop-watch/watch';
import { quietEnvironment } from './environment';
import { someEvent } from './events';

let server: Awaited<ReturnType<typeof serverOfWaiting>>;
beforeAll(async () => {
  server = await serverOfWaiting();
});
afterAll(() => server.close());

const event = someEvent({ subject: 'run-1' });
const send = (inbox: SignalOutlet) =>
  quietEnvironment(server.client).run(createSendEvent({ outlets: { inbox }, log: SILENT_LOG, watch: WATCH }), {
    outlet: 'inbox',
    event,
  });

test('a workflow gets the event as the signal that runs accept, or as another one', async () => {
  await server.start('inbox');
  await send({ workflowId: 'inbox' });
  await send({ workflowId: 'inbox', signal: 'order' });
  expect(await server.signals('inbox')).toEqual([
    ['serviceAnswer', event],
    ['order', event],
  ]);
});

test('the event selects the workflow if the id is a function', async () => {
  await server.start('inbox-run-1');
  await send({ workflowId: ({ subject }) => `inbox-${subject}` });
  expect(await server.signals('inbox-run-1')).toEqual([['serviceAnswer', event]]);
});

test('a workflow that does not exist, or has ended, is final, and named', async () => {
  await (await server.start('ended')).terminate();
  for (const workflowId of ['never', 'ended']) {
    await expect(send({ workflowId })).rejects.toMatchObject({
      type: 'OutletFailed',
      nonRetryable: true,
      message: `The outlet \`inbox\` could not send the event (there is no running workflow \`${workflowId}\`).`,
    });
  }
});

test('a function that gives no id is final', async () => {
  const thrown = send({
    workflowId: () => {
      throw new Error('no customer');
    },
  });
  const final = { type: 'OutletFailed', nonRetryable: true };
  await expect(thrown).rejects.toMatchObject({ ...final, message: expect.stringContaining('threw: no customer') });
  const none = send({ workflowId: () => undefined as unknown as string });
  await expect(none).rejects.toMatchObject({ ...final, message: expect.stringContaining('gave no text') });
});

test('a server that cannot be reached is retried', async () => {
  const { Client, Connection } = await import('@temporalio/client');
  const connection = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
  const activity = createSendEvent({ outlets: { inbox: { workflowId: 'inbox' } }, log: SILENT_LOG, watch: WATCH });
  const sent = quietEnvironment(new Client({ connection })).run(activity, { outlet: 'inbox', event });
  await expect(sent).rejects.toMatchObject({ type: 'OutletFailed', nonRetryable: false });
  await connection.close();
});
