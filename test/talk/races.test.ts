import { defineAgent, defineTool } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { call, calls, text } from 'holdfast/testing';
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
const look = defineTool({ description: 'Look', input: z.object({}), effect: 'read', run: () => 'seen' });
const slow = defineTool({ description: 'Slow', input: z.object({}), effect: 'read', run: () => gate.opened.then(() => 'slow') });
const common = { tools: { look, slow }, loopTools: ['ask_question' as const], questions: { ask_question: { expires: 1500 } } };
const chat = defineAgent({ name: 'test.chat', mode: 'conversation', idle: 1500, ...common });
const built = defineAgent({
  name: 'test.built',
  mode: 'conversation',
  outputBuilder: ({ content }) => gate.opened.then(() => ({ data: content })),
  ...common,
});
const task = defineAgent({ name: 'test.task', ...common });

const after = (reply: ReturnType<typeof text>) => () => gate.opened.then(() => reply);

describe.each([['time-skipping', 0], ['dev', 100]] as const)('%s, %d', (server, cache) => {
  let decider: Decider;
  beforeAll(async () => {
    decider = await Decider.open({ agents: [chat, built, task], server }, cache);
  });
  afterAll(() => decider.close());
  beforeEach(shut);
  afterEach(() => decider.kit.model.reset());

  async function end(run: RunHandle<unknown>, told: Told[]) {
    await run.close().catch((e) => console.log('close', e.type));
    await run.result().catch((e) => console.log('result', e.type));
    const facts = await factsOf(run);
    console.log(`${expect.getState().currentTestName}\n${told.map((t) => JSON.stringify(t)).join('\n')}\n${facts.map(show).join('\n')}`);
    await decider.kit.replay(run);
    await decider.stop();
    await decider.start();
    expect(await factsOf(run)).toEqual(facts);
    return facts;
  }
  const show = ({ seq, time, type, ...rest }: any) => `${seq} ${type} ${JSON.stringify(rest)}`.slice(0, 200);

  test('idle update', async () => {
    const { kit } = decider;
    kit.model.script(text('a'), text('b'), text('c'));
    const run = await kit.start(chat, { input: null });
    await run.answerTo(await run.send('1'));
    const told = await decider.atOnce(async (tell) => {
      await kit.skip(1600);
      await tell(() => run.send('2'));
      await tell(() => run.rename('x'));
    });
    await end(run, told);
  });
  test('idle signal', async () => {
    const { kit } = decider;
    kit.model.script(text('a'), text('b'), text('c'));
    const run = await kit.start(chat, { input: null });
    await run.answerTo(await run.send('1'));
    const told = await decider.atOnce(async (tell) => {
      await kit.skip(1600);
      process.stderr.write('skipped\n');
      await tell(() => run.workflow.signal('send', { text: '2' }));
      process.stderr.write('sent\n');
    });
    process.stderr.write('told\n');
    const t = setTimeout(async () => { const d = await run.workflow.describe(); process.stderr.write(JSON.stringify(d.raw.workflowExecutionInfo?.status) + JSON.stringify((await kit.history(run)).events?.map((e) => Object.keys(e).find((k) => k.endsWith('Attributes')))) ); }, 8000); t.unref();
    await end(run, told);
  });
  test('close and sends', async () => {
    const { kit } = decider;
    kit.model.script(text('a'), text('b'), text('c'));
    const run = await kit.start(chat, { input: null });
    await run.answerTo(await run.send('1'));
    const told = await decider.atOnce(async (tell) => {
      await tell(() => run.send('2'));
      await tell(() => run.close());
      await tell(() => run.send('3'));
      await tell(() => run.regenerate());
    });
    await end(run, told);
  });
  test('question expiry', async () => {
    const { kit } = decider;
    kit.model.script(call('ask_question', { question: 'Q?' }), call('ask_question', { question: 'N?', answer_schema: { type: 'integer' } }), text('c'));
    const run = await kit.start(task, { input: 'go' });
    await run.questions({ atLeast: 1 });
    const told = await decider.atOnce(async (tell) => {
      await kit.skip(1600);
      await tell(() => run.answer('t1.1', 'one'));
      await tell(() => run.answer('t1.1', 'two'));
      await tell(() => run.decline('t1.1'));
    });
    await run.questions({ atLeast: 1 });
    told.push(...await decider.atOnce(async (tell) => {
      await kit.skip(1600);
      await tell(() => run.answer('t2.1', 1));
      await tell(() => run.answer('t2.1', 2));
    }));
    await end(run, told);
  });
  test.each(['chat', 'task', 'built'])('final answer of %s and', async (which) => {
    const { kit } = decider;
    kit.model.script(after(text('a')), text('b'), text('c'), text('d'), text('e'));
    const run: RunHandle<unknown> = which === 'task' ? await kit.start(task, { input: 'go' }) : await kit.start(which === 'chat' ? chat : built, { input: null });
    const id = kit.model.request(1);
    if (which !== 'task') await run.send('1');
    await id;
    if (which === 'built') { gate.open(); await new Promise((r) => setTimeout(r, 300)); }
    const told = await decider.atOnce(async (tell) => {
      gate.open();
      await decider.quiet(run);
      await tell(() => run.steer('S queue'));
      await tell(() => run.steer('S now', { when: 'now' }));
      await tell(() => run.send('2'));
    });
    await end(run, told);
  });
  test.each(['chat', 'built'])('interrupt final answer of %s and', async (which) => {
    const { kit } = decider;
    kit.model.script(after(text('a')), text('b'), text('c'), text('d'), text('e'));
    const run: RunHandle<unknown> = await kit.start(which === 'chat' ? chat : built, { input: null });
    const id = kit.model.request(1);
    await run.send('1');
    await id;
    const told = await decider.atOnce(async (tell) => {
      gate.open();
      await decider.quiet(run);
      await tell(() => run.interrupt());
    });
    await end(run, told);
  });
});
