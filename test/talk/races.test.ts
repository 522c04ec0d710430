import { defineAgent, defineTool } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { call, text } from 'holdfast/testing';
import { z } from 'zod';
import { Decider, factsOf, type Told } from './decider';

let gate: { opened: Promise<void>; open(): void };
const shut = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  gate = { opened, open };
};
const look = defineTool({ description: 'Look', input: z.object({}), effect: 'read', run: () => gate.opened.then(() => 'seen') });
const common = { tools: { look }, loopTools: ['ask_question' as const], questions: { ask_question: { expires: '1d' as const } } };
const chat = defineAgent({ name: 'test.chat', mode: 'conversation', idle: '7d', ...common });
const built = defineAgent({
  name: 'test.built',
  mode: 'conversation',
  idle: '7d',
  outputBuilder: ({ content }) => gate.opened.then(() => ({ data: content })),
  ...common,
});
const task = defineAgent({ name: 'test.task', ...common });

describe.each([0, 100])('with %d runs in memory', (cache) => {
  let decider: Decider;
  beforeAll(async () => {
    decider = await Decider.open({ agents: [chat, built, task] }, cache);
  });
  afterAll(() => decider.close());
  beforeEach(shut);
  afterEach(() => decider.kit.model.reset());

  test('idle', async () => {
    const { kit } = decider;
    kit.model.script(text('a'), text('b'), text('c'));
    const run = await kit.start(chat, { input: null });
    await run.answerTo(await run.send('1'));
    const told = await decider.atOnce(async (tell) => {
      await kit.skip('7d');
      await tell(() => run.send('2'));
      await tell(() => run.workflow.signal('send', { text: '3' }));
      await tell(() => run.rename('x'));
    });
    console.log(told);
    await run.close().catch((e) => console.log(e.type));
    await run.result();
    console.log((await factsOf(run)).map((f) => f.type + ' ' + JSON.stringify(f)).join('\n'));
    await kit.replay(run);
  });
});
