import { AgentClient } from 'holdfast/client';
import { serverOfWaiting } from '../waits/waiting-workflows';

let server: Awaited<ReturnType<typeof serverOfWaiting>>;
let client: AgentClient;
beforeAll(async () => {
  server = await serverOfWaiting();
  client = new AgentClient(server.client);
});
afterAll(() => server.close());

test('a server that cannot list runs is distinguished from an unavailable one', async () => {
  const refused = { type: 'RunsNotListed', message: expect.stringContaining('`holdfast dev` starts one') };
  await expect(client.sessions()).rejects.toMatchObject(refused);
  await expect(client.waiting()).rejects.toMatchObject(refused);
  await expect(client.waiting()).rejects.toMatchObject(refused);
});

test('a name that no agent can have is an error', async () => {
  await expect(client.sessions({ agent: "x' OR 1=1" })).rejects.toMatchObject({ type: 'InvalidAgentName' });
});

test('only a run that has ended can be deleted', async () => {
  await server.start('open');
  await expect(client.delete('open')).rejects.toMatchObject({ type: 'RunNotEnded', data: { id: 'open' } });
  await expect(client.delete('nowhere')).rejects.toMatchObject({ type: 'RunNotFound', data: { id: 'nowhere' } });
  await server.client.workflow.getHandle('open').terminate();
});
