import { defineAgent } from 'holdfast';
import { AgentClient } from 'holdfast/client';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { orHoldfastError } from '../../../client/requests/client-error';
import { problemOf } from '../../../client/silence/run-problem';
import { loadConfig } from '../../../runtime/config/config';
import { Relay } from '../../relay';

const helper = defineAgent({ name: 'away.helper', mode: 'conversation' });

let kit: AgentTestEnvironment;
let relay: Relay;
let client: AgentClient;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [helper], server: 'dev' });
  relay = await Relay.to(kit.temporal.address);
  const { namespace } = kit.client.temporal.options;
  const env = { TEMPORAL_ADDRESS: relay.address, TEMPORAL_NAMESPACE: namespace };
  const config = await loadConfig({ cwd: '/', env });
  client = await AgentClient.connect({ config, taskQueue: kit.taskQueue, workerTimeout: 2000 });
});
afterAll(async () => {
  await relay.refuse();
  await client.close();
  await kit.close();
});

/** Refused at once, or without an answer until the time for it is up. */
const AWAY =
  /^No Temporal server answers( at 127\.0\.0\.1:\d+ \(connection refused\)| \(no answer in time\))\. Start one/;

it('says that the server is away, within seconds and without the words of gRPC, and never that a worker is', async () => {
  kit.model.script(text('Hello!'));
  const chat = kit.conversation(helper, { id: 'away-1' });
  await chat.ask('Hi');
  const run = client.get('away-1');
  await relay.refuse();
  const began = Date.now();
  const why = await problemOf(client.temporal, 'away-1').catch((error) => orHoldfastError(error, 'away-1'));
  // The SDK's client alone takes 20 s for each question, and there are several.
  expect(Date.now() - began).toBeLessThan(15_000);
  expect(why).toMatchObject({ type: 'NoServer', message: expect.stringMatching(AWAY) });
  const sent = run.rename('Lost').catch((error: unknown) => error);
  expect(await sent).toMatchObject({ type: 'NoServer', message: expect.stringMatching(AWAY) });
  await relay.open();
});
