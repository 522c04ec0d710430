import { defineAgent, defineTool, type Execution, signalService } from 'holdfast';
import { ConversationHandle, type RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { fixture, newRecord } from '../activities/mcp/servers';
import { waitForFact } from '../facts';
import { expectWhole, outcomes, plain } from '../services/stage';
import { until } from '../until';

/** What happened, in order: `+` a call began, `-` it ended. */
let happened: string[] = [];
const gates = new Map<string, () => void>();
/** Lets the call with this mark end. */
async function release(mark: string): Promise<void> {
  await until(() => gates.has(mark), `the call ${mark}`);
  gates.get(mark)?.();
}

const input = z.object({ mark: z.string(), waits: z.boolean().default(false), fails: z.boolean().default(false) });
const tool = (more: { execution?: Execution; approval?: 'always' } = {}) =>
  defineTool({
    description: 'Works',
    inputSchema: input,
    ...more,
    execute: async ({ mark, waits, fails }, { signal }) => {
      happened.push(`+${mark}`);
      if (waits) {
        await new Promise<void>((resolve, reject) => {
          gates.set(mark, resolve);
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        });
      }
      happened.push(`-${mark}`);
      if (fails) throw new Error(`no ${mark}`);
      return `did ${mark}`;
    },
  });

const record = newRecord();
const work = (execution: Execution) => ({ ...fixture('work-server.mjs'), env: record.env, execution });
const tools = { one: tool(), two: tool() };
const ask = signalService(plain, '1.0.0');
const serial = defineAgent({ name: 'test.serial', tools, execution: 'serial', services: { ask } });
const finisher = defineAgent({ name: 'test.finisher', tools, execution: 'serial', loopTools: ['task_completion'] });
const lines = defineAgent({
  name: 'test.lines',
  tools: { line: tool({ execution: 'serial' }), free: tool() },
  mcp: { shop: work('serial') },
  policies: { 'shop.put': { execution: 'serial' } },
});
const asking = defineAgent({ name: 'test.asking', tools: { pay: tool({ execution: 'serial', approval: 'always' }) } });
const chat = defineAgent({ name: 'test.serial-chat', mode: 'conversation', execution: 'serial', tools });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [serial, finisher, lines, asking, chat], server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  happened = [];
  gates.clear();
});

type Call = [name: string, args: { [field: string]: string | boolean | number }];
const done = text('done');
const before = (first: string, second: string) => happened.indexOf(first) < happened.indexOf(second);
const factOf = (run: RunHandle<unknown>, toolUseId: string) =>
  waitForFact(run, (one) => (one.type === 'tool.result' || one.type === 'tool.error') && one.toolUseId === toolUseId);

test('calls of a serial agent run one after the other in order, and one that fails stops no others', async () => {
  const batch: Call[] = [
    ['one', { mark: 'a', waits: true }],
    ['nowhere', {}],
    ['two', { mark: 'b', fails: true }],
    ['one', { mark: 'c' }],
    ['two', { mark: 'd' }],
  ];
  kit.model.script(calls(...batch), done);
  const run = await kit.start(serial, { input: 'go' });
  await release('a');
  expect((await run.result()).data).toBe('done');
  expect(happened).toEqual(['+a', '-a', '+b', '-b', '+c', '-c', '+d', '-d']);
  expect(await outcomes(run)).toMatchObject({
    't1.1': 'did a',
    't1.2': expect.stringMatching(/^UnknownTool/),
    't1.3': expect.stringMatching(/no b/),
    't1.5': 'did d',
  });
  await expectWhole(kit, run);
});

test('a service holds back the calls after it until it has answered', async () => {
  kit.model.script(
    calls(['one', { mark: 'a' }], ['ask', { sku: 'x' }], ['ask', { sku: 'y' }], ['two', { mark: 'b' }]),
    done,
  );
  const run = await kit.start(serial, { input: 'go' });
  expect((await run.waiting({ atLeast: { services: 1 } })).services).toMatchObject([{ toolUseId: 't1.2' }]);
  await kit.client.completeCall(run.id, 't1.2', { data: { left: 2 } });
  await until(
    async () => (await run.waiting()).services.some(({ toolUseId }) => toolUseId === 't1.3'),
    'the second service',
  );
  expect(happened).toEqual(['+a', '-a']);
  await kit.client.completeCall(run.id, 't1.3', { data: { left: 3 } });
  await run.result();
  expect(happened).toEqual(['+a', '-a', '+b', '-b']);
  expect(await outcomes(run)).toMatchObject({ 't1.2': '{"left":2}', 't1.3': '{"left":3}', 't1.4': 'did b' });
  await expectWhole(kit, run);
});

test('calls of a serial tool or server hold back only each other', async () => {
  kit.model.script(
    calls(
      ['line', { mark: 'a', waits: true }],
      ['shop_take', { mark: 'm1', ms: 300 }],
      ['line', { mark: 'b' }],
      ['free', { mark: 'x' }],
      ['shop_put', { mark: 'm2' }],
      ['free', { mark: 'y' }],
    ),
    done,
  );
  const run = await kit.start(lines, { input: 'go' });
  for (const id of ['t1.2', 't1.4', 't1.5', 't1.6']) await factOf(run, id);
  expect(happened).toContain('-y');
  expect(happened).not.toContain('+b');
  expect(record.lines()).toEqual(['begin m1', 'end m1', 'begin m2', 'end m2']);
  await release('a');
  await run.result();
  expect(before('-a', '+b')).toBe(true);
  await expectWhole(kit, run);
});

test('a call that waits for a person holds back those after it; all approvals are requested at once', async () => {
  const marks = ['a', 'b', 'c', 'd'];
  kit.model.script(calls(...marks.map((mark): Call => ['pay', { mark }])), done);
  const run = await kit.start(asking, { input: 'go' });
  expect((await run.waiting({ atLeast: { approvals: 4 } })).approvals).toHaveLength(4);
  const by = 'ann';
  await run.approve({ toolUseId: 't1.4' }, { by });
  await run.edit({ toolUseId: 't1.2' }, { by, input: { mark: 'b2' } });
  await run.deny({ toolUseId: 't1.3' }, { by });
  await factOf(run, 't1.3');
  expect(happened).toEqual([]);
  await run.approve({ toolUseId: 't1.1' }, { by });
  await run.result();
  expect(happened).toEqual(['+a', '-a', '+b2', '-b2', '+d', '-d']);
  await expectWhole(kit, run);
});

test.each(['cancel', 'interrupt'] as const)('calls that have not begun never do after %s', async (how) => {
  const agent = how === 'cancel' ? serial : chat;
  kit.model.script(calls(['one', { mark: 'a', waits: true }], ['two', { mark: 'b' }], ['one', { mark: 'c' }]), done);
  const run = await kit.start(agent, { input: how === 'cancel' ? 'go' : null });
  if (how === 'interrupt') await run.send('go');
  await until(() => gates.has('a'), 'the first call');
  if (!(run instanceof ConversationHandle)) {
    await run.cancel();
    await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
  } else {
    await run.interrupt();
    expect(await run.answerTo(await run.send('And?'))).toMatchObject({ data: 'done' });
    await run.close();
    await run.result();
  }
  expect(happened).toEqual(['+a']);
  const told = await outcomes(run);
  expect(told['t1.2']).toBe('ToolCancelled: `two` was cancelled before it ran.');
  expect(told['t1.3']).toBe('ToolCancelled: `one` was cancelled before it ran.');
  await expectWhole(kit, run);
});

test('the result of a serial task comes after the calls that follow it', async () => {
  kit.model.script(calls(['one', { mark: 'a' }], ['task_completion', { result: 'all of it' }], ['two', { mark: 'b' }]));
  const run = await kit.start(finisher, { input: 'go' });
  expect((await run.result()).data).toBe('all of it');
  expect(happened).toEqual(['+a', '-a', '+b', '-b']);
  await expectWhole(kit, run);
});
