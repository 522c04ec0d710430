import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { factsOf } from '../facts';
import { newGate } from '../gate';
import { until } from '../until';

const doer = defineAgent({ name: 'text.mover', toolCalls: 'text', loopTools: ['task_completion'] });
const BROKEN = text('<tool>?</tool>');
const DONE = '<tool>{"server_name": "local", "tool_name": "task_completion", "arguments": {"result": "done"}}</tool>';

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [doer] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

/** Starts a run that goes on in a new history after its nth answer, a broken call. */
async function movedAfter(answer: number, ...rest: Parameters<AgentTestEnvironment['model']['script']>) {
  const { open, opened } = newGate();
  kit.model.script(...Array.from({ length: answer - 1 }, () => BROKEN), () => opened.then(() => BROKEN), ...rest);
  const run = await kit.start(doer, { input: 'go' });
  await kit.model.request(answer);
  await run.continueAsNew();
  // The run looks at its history one second later, and goes on when the model has answered.
  await until(async () => {
    const { events } = await kit.history(run);
    return events?.some(({ timerFiredEventAttributes }) => timerFiredEventAttributes) === true;
  }, 'the end of the pause');
  open();
  return run;
}

test('a pending reminder goes on in a new history', async () => {
  const run = await movedAfter(3, BROKEN, text('Hm.'), text(DONE));
  expect((await run.result()).data).toBe('done');
  expect(await kit.histories(run)).toHaveLength(2);
  const last = (number: number) => kit.model.requests[number - 1]?.body.messages.at(-1)?.content;
  expect(last(4)).toMatch(/^Your call was not run/);
  expect(last(4)).toBe(last(3));
  expect(last(6)).toMatch(/^You called no tool/);
  expect(JSON.stringify(await run.transcript())).not.toMatch(/was not run|called no tool/);
  expect(await factsOf(run, 'tool.none')).toHaveLength(5);
  await kit.replay(run);
});

test('equal errors of two histories are counted together', async () => {
  const run = await movedAfter(2, BROKEN, BROKEN, BROKEN);
  await expect(run.result()).rejects.toMatchObject({ type: 'ErrorRepeated', data: { times: 5 } });
  expect(await kit.histories(run)).toHaveLength(2);
  await kit.replay(run);
});
