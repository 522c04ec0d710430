import { MockActivityEnvironment } from '@temporalio/testing';
import { z } from 'zod';
import { createRulesCheck } from '../../../activities/approvals/rules-of-answer';
import { Registry } from '../../../activities/registry';
import type { ApprovalPolicy, ApprovalRules, ApprovalSpec, RuleVerdict } from '../../../agent/approvals/approval';
import type { Agent, AgentDefinition } from '../../../agent/define/agent-definition';
import type { Ctx } from '../../../agent/define/context';
import type { ToolRequest } from '../../../agent/model/answer';
import type { Manifest } from '../../../agent/protocol/manifest';
import type { JsonObject } from '../../../agent/values/json';
import { hashOfArguments, sha256 } from '../../../runtime/sha256';
import { WATCH } from '../loop-watch/watch';
import { plainManifest } from '../plain-manifest';

const refund = { account: 'a1', amount: 70 };
const hash = (input: JsonObject) => `sha256:${hashOfArguments(input)}`;
const warned: object[] = [];
const silent = () => undefined;
const log = { debug: silent, info: silent, warn: (fields: object) => warned.push(fields), error: silent };
afterEach(() => {
  warned.length = 0;
});

const tool = (approval?: ApprovalPolicy) => ({
  description: 'Pays money back',
  input: z.object({ account: z.string(), amount: z.number().transform((cents) => cents / 100) }),
  run: () => 'paid',
  ...(approval === undefined ? {} : { approval }),
});

interface Setting extends Partial<AgentDefinition> {
  calls?: { name: string; input: JsonObject }[];
  pinned?: { [tool: string]: Partial<ApprovalSpec> };
  known?: boolean;
  cancelled?: AbortSignal;
}

/** What the worker says of the calls of an answer; `undefined` where no rule was asked. */
async function judge(setting: Setting): Promise<(RuleVerdict | undefined)[]> {
  const { calls, pinned = {}, known = true, cancelled = new AbortController().signal, ...definition } = setting;
  const agent = { name: 'test.agent', definition: { name: 'test.agent', ...definition } } as unknown as Agent;
  const asked = calls ?? [{ name: 'refund', input: refund }];
  const manifest = {
    ...plainManifest,
    tools: [...new Set(asked.map(({ name }) => name))].map((name) => ({
      name,
      modelName: name,
      priority: 0,
      approval: { asks: true, onExpire: 'deny', ...pinned[name] },
    })),
  } as unknown as Manifest;
  const requests = asked.map((call) => ({ ...call, hash: hashOfArguments(call.input) }));
  const context = { owner: 'u1', metadata: { tier: 'gold' } };
  const work = createRulesCheck({ registry: new Registry(known ? [agent] : []), log, watch: WATCH });
  const environment = new MockActivityEnvironment({
    workflowType: 'test.agent',
    workflowExecution: { workflowId: 'run-1', runId: 'r' },
  });
  const ruled: ToolRequest[] = await environment.run(() => work({ manifest, context, turn: 3, requests, cancelled }));
  expect(ruled).toMatchObject(requests);
  return ruled.map(({ approval }) => approval);
}

const withTool = (approval?: ApprovalPolicy) => judge({ tools: { refund: tool(approval) } as never });
const rules = (given: { [K in keyof ApprovalRules]: unknown }) => given as ApprovalRules;

test('a call needs a person where `when` says so of its arguments, as the schema transforms them', async () => {
  const amounts: number[] = [];
  const when = ({ amount }: { amount: number }) => {
    amounts.push(amount);
    return amount > 0.5;
  };
  const approval = rules({ when });
  const calls = [70, 20].map((amount) => ({ name: 'refund', input: { ...refund, amount } }));
  const ruled = await judge({ tools: { refund: tool(approval) } as never, calls });
  expect(ruled).toEqual([
    { needed: true, key: '' },
    { needed: false, key: '' },
  ]);
  expect(amounts).toEqual([0.7, 0.2]);
});

test('`when` knows the run and the call, by the ctx that tools get', async () => {
  const seen: Ctx[] = [];
  await withTool(rules({ when: (_: unknown, ctx: Ctx) => seen.push(ctx) }));
  expect(seen[0]).toMatchObject({ id: 'run-1', toolUseId: 't3.1', turn: 3, owner: 'u1', metadata: { tier: 'gold' } });
});

test.each([
  ['gives a promise of false', async () => false, false],
  ['gives nothing', () => undefined, false],
  ['gives something that is not true', () => 'yes', true],
  [
    'throws',
    () => {
      throw new Error('no rates today');
    },
    true,
  ],
  ['rejects', () => Promise.reject(new Error('no rates today')), true],
])('where `when` %s, the call needs a person', async (_, when, needed) => {
  expect(await withTool(rules({ when }))).toEqual([{ needed, key: '' }]);
});

test('a function that throws is told in the log, without the arguments', async () => {
  await withTool(
    rules({
      when: () => {
        throw new Error('no rates today');
      },
    }),
  );
  expect(warned).toEqual([{ id: 'run-1', toolUseId: 't3.1', tool: 'refund', problem: 'no rates today' }]);
});

test.each([
  ['a text', ({ account }: typeof refund) => account, 'by:a1'],
  ['a text in a promise', async ({ account }: typeof refund) => account, 'by:a1'],
  [
    'an error',
    () => {
      throw new Error('broken');
    },
    hash(refund),
  ],
  ['a rejection', () => Promise.reject(new Error('broken')), hash(refund)],
  ['no text', () => 7, hash(refund)],
  ['nothing', () => undefined, hash(refund)],
  ['an empty text, which would stand for every call', () => '', hash(refund)],
])('where `rememberBy` gives %s, a decision never holds for more than it says', async (_, rememberBy, key) => {
  expect(await withTool(rules({ rememberBy }))).toEqual([{ needed: true, key }]);
});

test('a long text of `rememberBy` is kept as a hash, equal for equal texts only', async () => {
  const long = (end: string) => withTool(rules({ rememberBy: () => 'x'.repeat(5000) + end }));
  const [one, same, other] = await Promise.all([long('a'), long('a'), long('b')]);
  expect(one?.[0]?.key).toHaveLength(74);
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
});

test('functions that never end have one second together; those that ended count', async () => {
  const started = Date.now();
  const approval = rules({ when: () => new Promise(() => {}), rememberBy: ({ account }: typeof refund) => account });
  const hanging = rules({ rememberBy: () => new Promise(() => {}) });
  const ruled = await judge({
    tools: { refund: tool(approval), quick: tool(rules({ when: () => false })), hanging: tool(hanging) } as never,
    calls: ['refund', 'quick', 'hanging'].map((name) => ({ name, input: refund })),
  });
  expect(ruled).toEqual([
    { needed: true, key: 'by:a1' },
    { needed: false, key: '' },
    { needed: true, key: hash(refund) },
  ]);
  expect(Date.now() - started).toBeLessThan(2500);
  expect(warned).toHaveLength(2);
});

test('a call after functions that blocked the worker for too long is asked of a person', async () => {
  const block = () => {
    const end = Date.now() + 1100;
    while (Date.now() < end);
    return false;
  };
  const ruled = await judge({
    tools: { refund: tool(rules({ when: block })), quick: tool(rules({ when: () => false })) } as never,
    calls: ['refund', 'quick'].map((name) => ({ name, input: refund })),
  });
  // The one that blocked said no, but too late.
  expect(ruled).toEqual(Array(2).fill({ needed: true, key: '' }));
});

test('arguments that do not fit the schema of the tool need a person, and are remembered alone', async () => {
  const input = { account: 'a1' };
  const approval = rules({ when: () => false, rememberBy: () => 'k' });
  const calls = [{ name: 'refund', input }];
  const ruled = await judge({ tools: { refund: tool(approval) } as never, calls });
  expect(ruled).toEqual([{ needed: true, key: hash(input) }]);
});

describe('whose word counts', () => {
  const never = rules({ when: () => false });
  it("is the agent's policy, over the tool's own", async () => {
    const tools = { refund: tool(rules({ when: () => true })) } as never;
    expect(await judge({ tools, policies: { refund: { approval: never } } })).toEqual([{ needed: false, key: '' }]);
  });

  it("is the tool's own where the policy says nothing of approvals", async () => {
    const tools = { refund: tool(never) } as never;
    expect(await judge({ tools, policies: { refund: { priority: 2 } } })).toEqual([{ needed: false, key: '' }]);
  });

  it("is the service's own", async () => {
    expect(await judge({ services: { refund: { approval: never } } as never })).toEqual([{ needed: false, key: '' }]);
  });

  it('is the policy alone for tools of MCP servers', async () => {
    const calls = [{ name: 'bank.refund', input: refund }];
    const policies = { 'bank.refund': { approval: never } };
    expect(await judge({ mcp: { bank: 'bank' }, policies, calls })).toEqual([{ needed: false, key: '' }]);
    expect(await judge({ mcp: { bank: 'bank' }, calls })).toEqual([{ needed: true, key: hash(refund) }]);
  });

  it('is what the run has pinned, where no function had a say in it', async () => {
    const tools = { refund: tool(never) } as never;
    expect(await judge({ tools, pinned: { refund: { asks: false } } })).toEqual([undefined]);
  });

  it('counts for nothing of a tool, or an agent, that a deploy took away: a person is asked, for this call alone', async () => {
    const careful = [{ needed: true, key: hash(refund) }];
    expect(await judge({ tools: {} })).toEqual(careful);
    expect(await judge({ known: false })).toEqual(careful);
    expect(await withTool('never')).toEqual(careful);
    expect(await withTool()).toEqual(careful);
  });

  it('is not that of Object.prototype', async () => {
    const calls = [{ name: 'constructor', input: {} }];
    expect(await judge({ tools: {}, calls })).toEqual([{ needed: true, key: hash({}) }]);
  });
});

test('a function that takes too long, or whose run is cancelled, sees its signal abort, and delays nothing', async () => {
  const signals: AbortSignal[] = [];
  const cancel = new AbortController();
  const when = (_: unknown, { signal }: Ctx) => {
    signals.push(signal);
    if (signals.length > 1) cancel.abort();
    return new Promise(() => {});
  };
  const tools = { refund: tool(rules({ when })) } as never;
  expect(await judge({ tools })).toEqual([{ needed: true, key: '' }]);
  const started = Date.now();
  expect(await judge({ tools, cancelled: cancel.signal })).toEqual([{ needed: true, key: '' }]);
  expect(Date.now() - started).toBeLessThan(900);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test('rules are not asked about calls that will not run: of lower priority, with a problem, or past the 500th', async () => {
  const asked: unknown[] = [];
  const when = (input: unknown, { toolUseId }: Ctx) => asked.push([input, toolUseId]);
  const approval = rules({ when });
  const definition = { name: 'test.agent', tools: { refund: tool(approval), minor: tool(approval) } };
  const work = createRulesCheck({
    registry: new Registry([{ name: 'test.agent', definition } as unknown as Agent]),
    log,
    watch: WATCH,
  });
  const spec = (name: string, priority: number) => ({ name, modelName: name, priority, approval: { asks: true } });
  const manifest = { ...plainManifest, tools: [spec('refund', 1), spec('minor', 0)] } as unknown as Manifest;
  const request = (name: string, more = {}) => ({ name, input: refund, hash: hashOfArguments(refund), ...more });
  const requests = [
    request('minor'),
    request('refund', { problem: { type: 'AnswerCut', message: 'cut' } }),
    request('refund'),
    ...Array.from({ length: 497 }, () => request('unknown')),
    request('refund'),
  ];
  const about = { manifest, context: { metadata: {} }, turn: 2, requests, cancelled: new AbortController().signal };
  await new MockActivityEnvironment({ workflowType: 'test.agent' }).run(() => work(about));
  expect(asked).toEqual([[{ account: 'a1', amount: 0.7 }, 't2.3']]);
});

test('no text of `rememberBy` gives the key of arguments, or of another text', async () => {
  const keyBy = async (text: string) => (await withTool(rules({ rememberBy: () => text })))[0]?.key;
  const long = 'x'.repeat(5000);
  const texts = [hash(refund), hashOfArguments(refund), 'by:a', 'a', long];
  const keys = await Promise.all([...texts, sha256(long), `by-sha256:${sha256(long)}`].map(keyBy));
  expect(new Set([...keys, hash(refund), '']).size).toBe(keys.length + 2);
});
