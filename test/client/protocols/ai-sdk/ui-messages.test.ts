import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { uiMessages } from '../../../../client/protocols/ai-sdk/read';

const clerk = defineAgent({ name: 'ui.clerk', instructions: 'x' });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [clerk] });
});
afterAll(() => kit.close());

test('a reading of messages that is ended before its last fact is not an empty list', async () => {
  kit.model.script(text('Hello.'));
  const run = await kit.start(clerk, { input: 'Hi' });
  await run.result();
  const { messages } = await uiMessages(run, new AbortController().signal);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  const reason = new Error('The server stops.');
  await expect(uiMessages(run, AbortSignal.abort(reason))).rejects.toBe(reason);
});
