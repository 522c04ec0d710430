import { countTokens } from 'gpt-tokenizer';
import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { waitForFact } from '../facts';
import { newGate } from '../gate';
import { until } from '../until';

const WINDOW = 4000;
/** Of 4,000 tokens this many may be sent. */
const ROOM = 2616;

const chat = defineAgent({ name: 'large.chat', mode: 'conversation', instructions: 'Talk.' });
const task = defineAgent({ name: 'large.task', instructions: 'Work.' });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [chat, task], contextWindow: WINDOW });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const fox = 'the quick brown fox jumps over the lazy dog. ';
/** A text of exactly so many tokens. */
const sized = (tokens: number) => {
  const words = `${'word '.repeat(tokens - 1)}word`;
  if (countTokens(words) !== tokens) throw new Error(`it has ${countTokens(words)} tokens`);
  return words;
};
const countsOf = async (run: { id: string }) => {
  const { events } = await kit.temporal.client.workflow.getHandle(run.id).fetchHistory();
  const scheduled = events?.flatMap(({ activityTaskScheduledEventAttributes: it }) => it?.activityType?.name ?? []);
  return scheduled?.filter((name) => name === 'holdfast.countMessage').length;
};

it('a message is refused if it has more tokens than the system prompt and the reserves leave', async () => {
  kit.model.script(text('A0'), text('A1'));
  const run = await kit.start(chat, { input: null });
  // Small ones need no count.
  await run.answerTo(await run.send('Q0'));
  expect(await countsOf(run)).toBe(0);
  await expect(run.send(sized(2 * ROOM))).rejects.toMatchObject({
    type: 'MessageTooLarge',
    data: { window: WINDOW, tokens: expect.any(Number), max: expect.any(Number) },
  });
  expect(await run.answerTo(await run.send(sized(Math.floor(ROOM / 2.2))))).toMatchObject({ data: 'A1' });
  expect(await countsOf(run)).toBe(2);
  await kit.replay(run);
});

it('the first message is counted as well, also one with few tokens for its bytes', async () => {
  const run = await kit.start(chat, { input: null });
  // A tokenizer that reads in slices may count one word in a hundred twice.
  await expect(run.send(sized(ROOM))).rejects.toMatchObject({ data: { max: ROOM - countTokens('Talk.') } });
  const prose = fox.repeat(230);
  expect(prose.length).toBeGreaterThan(3.9 * ROOM);
  expect(countTokens(prose)).toBeLessThan(0.95 * ROOM);
  kit.model.script(text('read'));
  expect(await run.answerTo(await run.send(prose))).toMatchObject({ reason: 'completed', data: 'read' });
});

it('sent twice with one id it is taken once; a large steering message is counted as well', async () => {
  const { open: answer, opened } = newGate();
  kit.model.script(() => opened.then(() => text('A0')), text('A1'));
  const run = await kit.start(chat, { input: null });
  const large = sized(1500);
  const [one, two] = await Promise.all([run.send(large, { id: 'm1' }), run.send(large, { id: 'm1' })]);
  expect(one).toEqual(two);
  await until(() => kit.model.requests.length === 1, 'the call');
  await expect(run.steer(sized(2 * ROOM), { when: 'now' })).rejects.toMatchObject({ type: 'MessageTooLarge' });
  answer();
  await run.answerTo(one);
  expect(await run.state()).toMatchObject({ exchange: 1, queued: 0 });
});

it('a signal with such a message is counted as ignored, and named', async () => {
  const run = await kit.start(chat, { input: null });
  const handle = kit.temporal.client.workflow.getHandle(run.id);
  await handle.signal('send', { text: sized(2 * ROOM) });
  expect(await waitForFact(run, 'message.ignored')).toMatchObject({ why: 'MessageTooLarge' });
  await kit.replay(run);
});
