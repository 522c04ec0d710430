import { defineAgent } from 'holdfast';
import { createAgentTestEnvironment, text } from 'holdfast/testing';

test('the state has the title of the start, until a person gives another', async () => {
  const helper = defineAgent({ name: 'desk.helper', mode: 'conversation' });
  const kit = await createAgentTestEnvironment({ agents: [helper] });
  kit.model.script(text('Hello!'));
  const chat = kit.client.conversation(helper, { id: 'titled', title: 'Order A-17' });
  await chat.ask('Hi');
  expect((await chat.state()).title).toBe('Order A-17');
  await chat.rename('Order A-18');
  expect((await chat.state()).title).toBe('Order A-18');
  await chat.close();
  await chat.result();
  await kit.replay(chat);
  await kit.close();
});
