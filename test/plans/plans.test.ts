import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';
import { plans, step } from './planner';

const ran: string[] = [];
/** How many tools have run at the same time. */
let running = 0;
let most = 0;
const read = defineTool({
  description: 'Reads a page',
  inputSchema: z.object({ page: z.string() }),
  effect: 'read',
  execute: async ({ page }) => {
    most = Math.max(most, ++running);
    ran.push(`read ${page}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    running--;
    return `text of ${page}`;
  },
});
const pay = defineTool({
  description: 'Pays a bill',
  inputSchema: z.object({ amount: z.number() }),
  execute: ({ amount }) => {
    ran.push(`pay ${amount}`);
    return `paid ${amount}`;
  },
});
const fails = defineTool({
  description: 'Fails',
  inputSchema: z.object({}),
  execute: () => {
    ran.push('fails');
    throw new Error('out of order');
  },
});
const tools = { read, pay, fails };
const agent = defineAgent({ name: 'test.plan', instructions: 'You are careful.', tools, strategy: 'plan' });
const small = defineAgent({ name: 'test.small', tools, strategy: 'plan', modelClass: 'small' });
const send = defineTool({
  description: 'Sends a letter',
  inputSchema: z.object({}),
  approval: 'always',
  execute: () => {
    ran.push('send');
    return 'sent';
  },
});
const guarded = defineAgent({ name: 'test.guarded', tools: { send, fails }, strategy: 'plan' });
const strict = defineAgent({ name: 'test.strict', tools, strategy: 'plan', breakers: { toolFailures: 2 } });
const short = defineAgent({ name: 'test.short', tools, strategy: 'plan', limits: { maxToolInteractions: 2 } });
const result = defineAgent({
  name: 'test.result',
  tools,
  strategy: 'plan',
  loopTools: ['task_completion'],
  outputSchema: z.object({ total: z.number() }),
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent, small, strict, guarded, short, result] });
});
afterAll(() => kit.close());
afterEach(() => {
  ran.length = 0;
  try {
    kit.model.assertDone();
  } finally {
    kit.model.reset();
  }
  most = 0;
});

type Script = Parameters<AgentTestEnvironment['model']['script']>;

async function outcomeOf(of: typeof agent | typeof result, ...script: Script) {
  kit.model.script(...script);
  const run = await kit.start(of as typeof agent, { input: 'Do it' });
  const { data } = await run.result();
  const facts = await factsOf(run);
  await kit.replay(run);
  const state = await run.state();
  return { run, data, facts, state, types: facts.map(({ type }) => type).filter((type) => type.startsWith('plan.')) };
}

const bodies = () => kit.model.requests.map(({ body }) => body);
const toolsOf = (nth: number) => bodies()[nth]?.tools?.map((tool) => tool.function.name);

test('two steps run at once, the one that depends on them after them, and a model answers from the results', async () => {
  const { data, facts, types, state } = await outcomeOf(
    agent,
    plans(
      step(1, 'Read page a', { depends_on: [] }),
      step(2, 'Read page b', { depends_on: [] }),
      step(3, 'Pay', { depends_on: [1, 2] }),
    ),
    call('read', { page: 'a' }),
    call('read', { page: 'b' }),
    call('pay', { amount: 5 }),
    text('All is paid.'),
  );
  expect(data).toBe('All is paid.');
  // The first two begin at once, in any order.
  expect([...ran.slice(0, 2).sort(), ...ran.slice(2)]).toEqual(['read a', 'read b', 'pay 5']);
  expect(most).toBe(2);
  expect(types).toEqual([
    'plan.made',
    ...['plan.step', 'plan.step', 'plan.step', 'plan.step', 'plan.step', 'plan.step'],
    'plan.done',
  ]);
  expect(facts.flatMap((fact) => (fact.type === 'tool.call' ? [fact.toolUseId] : []))).toEqual([
    't2.1',
    't3.1',
    't4.1',
  ]);
  expect(state.toolInteractions.current).toBe(3);
  expect(facts.flatMap((fact) => (fact.type === 'usage' ? [fact.for] : []))).toEqual([
    ...['planner', 'router', 'router', 'router', 'synthesis'],
  ]);
  // The planner and the synthesis have no tools, and no calls in their messages.
  expect([0, 4].map(toolsOf)).toEqual([undefined, undefined]);
  expect(JSON.stringify(bodies()[4]?.messages)).not.toContain('tool_call');
  expect(JSON.stringify(bodies()[4]?.messages)).toContain('text of b');
  expect(JSON.stringify(bodies()[0]?.messages)).toContain('You are careful.');
  expect(JSON.stringify(bodies()[3]?.messages)).toContain('text of a');
});

test('the answer of a planner that needs no tool is the answer', async () => {
  const direct = text(JSON.stringify({ needs_tools: false, direct_response: 'Hello.' }));
  const { data, types } = await outcomeOf(agent, direct);
  expect(data).toBe('Hello.');
  expect(types).toEqual(['plan.direct']);
});

test.each([
  ['text without a plan', text('I will think about it.')],
  ['steps that wait for each other', plans(step(1, 'a', { depends_on: [2] }), step(2, 'b', { depends_on: [1] }))],
  ['200 steps', plans(...Array.from({ length: 200 }, (_, i) => step(i + 1, 'a')))],
  ['no steps', plans()],
])('after %s the single loop works as if there was no plan', async (_, planned) => {
  const { data, types } = await outcomeOf(agent, planned, call('pay', { amount: 1 }), text('Done.'));
  expect(data).toBe('Done.');
  expect(ran).toEqual(['pay 1']);
  expect(types).toEqual(['plan.fallback']);
  expect(toolsOf(1)).toEqual(['read', 'pay', 'fails']);
  expect(bodies()[1]?.messages.map(({ role, content }) => [role, content])).toEqual([
    ['system', 'You are careful.'],
    ['user', 'Do it'],
  ]);
});

test('a failed critical step ends the plan, and the single loop knows what has been done', async () => {
  const { data, facts } = await outcomeOf(
    agent,
    plans(step(1, 'Pay the bill'), step(2, 'Break'), step(3, 'Pay again')),
    call('pay', { amount: 7 }),
    call('fails'),
    text('Paid 7; the rest is not possible.'),
  );
  expect(data).toBe('Paid 7; the rest is not possible.');
  expect(ran).toEqual(['pay 7', 'fails']);
  expect(facts.find(({ type }) => type === 'plan.fallback')).toMatchObject({
    why: 'step',
    problem: expect.stringContaining('step 2'),
  });
  const last = bodies()[3]?.messages ?? [];
  expect(last.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'user']);
  expect(last.at(-1)?.content).toContain('Step 1, done: Pay the bill');
  expect(last.at(-1)?.content).toContain('Step 3, not done: Pay again');
});

test.each([undefined, 'small'] as const)(
  'after a plan, no effect happens twice: model class %s',
  async (modelClass) => {
    const forgetful = modelClass === undefined ? agent : small;
    const { data, facts } = await outcomeOf(
      forgetful,
      plans(step(1, 'Read'), step(2, 'Pay the bill'), step(3, 'Break')),
      call('read', { page: 'a' }),
      call('pay', { amount: 7 }),
      call('fails'),
      call('pay', { amount: 7 }),
      calls(['read', { page: 'a' }], ['pay', { amount: 7 }]),
      call('pay', { amount: 8 }),
      text('Paid.'),
    );
    expect(data).toBe('Paid.');
    expect(ran).toEqual(['read a', 'pay 7', 'fails', 'read a', 'pay 8']);
    expect(facts.filter(({ type }) => type === 'breaker.skipped')).toHaveLength(2);
    expect(bodies()[5]?.messages.at(-1)?.content).toContain('the plan has made this call');
  },
);

test('after a plan, a person decides whether an effect happens twice', async () => {
  kit.model.script(
    plans(step(1, 'Send'), step(2, 'Break')),
    call('send'),
    call('fails'),
    call('send'),
    text('Sent twice.'),
  );
  const run = await kit.start(guarded, { input: 'Do it' });
  for (const id of ['t2.1', 't4.1']) {
    const { approvals } = await run.waiting({ atLeast: { approvals: 1 } });
    expect(approvals[0]?.toolUseId).toBe(id);
    await run.approve(approvals[0], { by: 'ann' });
  }
  expect((await run.result()).data).toBe('Sent twice.');
  expect(ran).toEqual(['send', 'fails', 'send']);
});

test.each([
  ['after each other', [1]],
  ['at once', []],
])('two steps %s for which routers choose the same call of a once tool: it runs once', async (_, depends_on) => {
  const { data, facts } = await outcomeOf(
    agent,
    plans(step(1, 'Pay the bill'), step(2, 'Read page a', { depends_on })),
    call('pay', { amount: 3 }),
    call('pay', { amount: 3 }),
    call('read', { page: 'a' }),
    text('Paid and read.'),
  );
  expect(data).toBe('Paid and read.');
  expect([...ran].sort()).toEqual(['pay 3', 'read a']);
  // The router of the second step reads why, and chooses again.
  expect(bodies()[3]?.messages.at(-1)?.content).toContain('another step of the plan makes the same call');
  expect(facts.flatMap((fact) => (fact.type === 'tool.error' ? [fact.error] : []))).toEqual([]);
});

test('a failed step that is not critical is named to the model that answers', async () => {
  const { data, types } = await outcomeOf(
    agent,
    plans(step(1, 'Break', { critical: false }), step(2, 'Pay')),
    call('fails'),
    call('pay', { amount: 2 }),
    text('Paid, but something broke.'),
  );
  expect(data).toBe('Paid, but something broke.');
  expect(types.at(-1)).toBe('plan.done');
  expect(bodies()[3]?.messages.at(-1)?.content).toContain('Step 1 failed');
});

test('a tool that failed too often is not offered for a later step', async () => {
  const { data, facts } = await outcomeOf(
    strict,
    plans(...[1, 2, 3].map((number) => step(number, 'Fails', { critical: false })), step(4, 'Read page a')),
    ...[call('fails'), call('fails'), call('fails'), call('fails'), call('fails')],
    call('read', { page: 'a' }),
    text('It is out of order.'),
  );
  expect(data).toBe('It is out of order.');
  expect(ran).toEqual(['fails', 'fails', 'read a']);
  expect(facts).toContainEqual(expect.objectContaining({ type: 'breaker.withdrawn', name: 'fails' }));
  expect([1, 2, 3, 6].map(toolsOf)).toEqual([
    expect.arrayContaining(['fails']),
    expect.arrayContaining(['fails']),
    expect.not.arrayContaining(['fails']),
    expect.not.arrayContaining(['fails']),
  ]);
});

test('a router that names an unknown tool three times has failed its step', async () => {
  const { facts, types } = await outcomeOf(
    agent,
    plans(step(1, 'Pay')),
    call('transfer', { amount: 1 }),
    call('pay', { amount: 'one' }),
    text('I would call pay.'),
    text('I could not do it.'),
  );
  expect(ran).toEqual([]);
  expect(types).toEqual(['plan.made', 'plan.step', 'plan.fallback']);
  expect(facts.find(({ type }) => type === 'plan.step')).toMatchObject({ status: 'failed' });
  expect(bodies()[2]?.messages.at(-1)?.content).toContain('no tool named `transfer`');
  expect(bodies()[3]?.messages.at(-1)?.content).toContain('amount');
  // Nothing was done: the single loop begins from the start.
  expect(bodies()[4]?.messages).toHaveLength(2);
});

test('of several calls of a router, the first that can be made is made', async () => {
  const several = calls(['transfer', {}], ['pay', { amount: 3 }], ['pay', { amount: 4 }]);
  await outcomeOf(agent, plans(step(1, 'Pay')), several, text('Paid.'));
  expect(ran).toEqual(['pay 3']);
});

test('each step is an interaction: a plan that is longer than the quota ends with a conclusion', async () => {
  const { data, facts, state } = await outcomeOf(
    short,
    plans(step(1, 'Pay'), step(2, 'Pay'), step(3, 'Pay')),
    call('pay', { amount: 1 }),
    call('pay', { amount: 2 }),
    text('Two are paid.'),
  );
  expect(data).toBe('Two are paid.');
  expect(ran).toEqual(['pay 1', 'pay 2']);
  expect(state.toolInteractions).toEqual({ current: 2, max: 2 });
  expect(facts.find(({ type }) => type === 'plan.fallback')).toMatchObject({ why: 'limit' });
  expect(bodies()[3]).toMatchObject({ tool_choice: 'none' });
});

test('the quota may end with the last step: the synthesis does not count', async () => {
  const { data, types } = await outcomeOf(
    short,
    plans(step(1, 'Read', { depends_on: [] }), step(2, 'Read', { depends_on: [] })),
    call('read', { page: 'a' }),
    call('read', { page: 'b' }),
    text('Read.'),
  );
  expect(data).toBe('Read.');
  expect(types.at(-1)).toBe('plan.done');
});

test('the synthesis gives the output, and the single loop corrects it', async () => {
  const { data } = await outcomeOf(
    result,
    plans(step(1, 'Pay')),
    call('pay', { amount: 1 }),
    text('{"total": "one"}'),
    call('task_completion', { result: { total: 1 } }),
  );
  expect(data).toEqual({ total: 1 });
});

test('what planners and routers write is not streamed', async () => {
  kit.model.script(plans(step(1, 'Pay')), call('pay', { amount: 1 }), text('All is paid.'));
  const run = await kit.start(agent, { input: 'Do it' });
  let streamed = '';
  for await (const event of run.events()) if (event.type === 'stream.text') streamed += event.text;
  expect(streamed).toBe('All is paid.');
});
