import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { triage } from './agents';

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [triage] });
});
afterAll(() => kit.close());

it('looks up the order and sorts the mail', async () => {
  kit.model.script(call('lookup', { id: 'A-17' }), (turn) => {
    expect(turn.request.messages.at(-1)?.content).toContain('"charged":80');
    return text('{"queue":"billing","why":"charged twice"}');
  });
  const run = await kit.start(triage, { input: { mail: 'Order A-17 was charged twice!' } });
  expect((await run.result()).data.queue).toBe('billing');
  kit.model.assertDone();
  await kit.replay(run);
});
