import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { factsOf } from '../facts';
import { move } from './move';

const chat = defineAgent({ name: 'test.reader', mode: 'conversation', idle: '7d' });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [chat] });
});
afterAll(() => kit.close());

test('models read messages that are too large to be carried, in each new history', async () => {
  const questions = Array.from({ length: 9 }, (_, i) => `${i} ${'x'.repeat(100_000)}`);
  for (const _ of questions) kit.model.script(text('read'));
  const run = kit.conversation(chat, { id: 'large-messages' });
  for (const question of questions) await run.answerTo(await run.send(question));
  const before = await run.transcript();
  for (const round of ['one', 'two']) {
    await move(kit, run);
    kit.model.script(text(`answer ${round}`));
    await expect(run.answerTo(await run.send(`question ${round}`))).resolves.toMatchObject({ data: `answer ${round}` });
    const sent = kit.model.requests.at(-1)?.body.messages.filter(({ role }) => role === 'user');
    expect(sent?.slice(0, questions.length).map(({ content }) => content)).toEqual(questions);
  }
  const transcript = await run.transcript();
  expect(transcript.slice(0, before.length)).toEqual(before);
  expect(transcript).toHaveLength(before.length + 4);
  await run.cancel();
  const types = (await factsOf(run)).map(({ type }) => type);
  expect(types.filter((type) => type === 'run.continued')).toHaveLength(2);
  expect(types).not.toContain('context.trimmed');
});
