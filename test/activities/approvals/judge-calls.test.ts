import { createHash } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { z } from 'zod';
import { createJudgeCalls } from '../../../activities/approvals/judge-calls';
import { Registry } from '../../../activities/registry';
import { PinStore } from '../../../activities/run/pins';
import type { JudgeCallsResult } from '../../../agent/activities';
import type { ApprovalPolicy, ApprovalRules, ApprovalSpec } from '../../../agent/approval';
import type { Ctx } from '../../../agent/context';
import type { Agent, AgentDefinition } from '../../../agent/define-agent';
import { canonicalJson, type JsonObject } from '../../../agent/json';
import { DEFAULT_LIMITS } from '../../../agent/limits';
import type { Manifest } from '../../../agent/manifest';

const refund = { account: 'a1', amount: 70 };
const hash = (value: unknown) => `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
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
  calls?: { toolUseId: string; name: string; input: JsonObject }[];
  pinned?: { [tool: string]: Partial<ApprovalSpec> };
  known?: boolean;
}

/** What the worker says of calls of an agent with this definition. */
async function judge({ calls, pinned = {}, known = true, ...definition }: Setting): Promise<JudgeCallsResult> {
  const agent = { name: 'test.agent', definition: { name: 'test.agent', ...definition } } as unknown as Agent;
  const pins = new PinStore();
  const asked = calls ?? [{ toolUseId: 't1.1', name: 'refund', input: refund }];
  const manifest = {
    version: 1,
    agent: 'test.agent',
    models: ['default'],
    limits: DEFAULT_LIMITS,
    checksOutput: false,
    searchAttributes: false,
    tools: asked.map(({ name }) => ({ name, approval: { asks: true, onExpire: 'deny', ...pinned[name] } })),
  } as unknown as Manifest;
  const pin = { manifest: pins.put(manifest), context: pins.put({ owner: 'u1', metadata: { tier: 'gold' } }) };
  const activity = createJudgeCalls({ registry: new Registry(known ? [agent] : []), pins, log });
  const environment = new MockActivityEnvironment({
    isLocal: true,
    workflowType: 'test.agent',
    workflowExecution: { workflowId: 'run-1', runId: 'r' },
  });
  return environment.run(activity, { pin, turn: 3, calls: asked });
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
  const calls = [70, 20].map((amount, i) => ({ toolUseId: `t1.${i}`, name: 'refund', input: { ...refund, amount } }));
  const judged = await judge({ tools: { refund: tool(approval) } as never, calls });
  expect(judged).toEqual([
    { needed: true, key: '' },
    { needed: false, key: '' },
  ]);
  expect(amounts).toEqual([0.7, 0.2]);
});

test('`when` knows the run and the call, by the ctx that tools get', async () => {
  const seen: Ctx[] = [];
  await withTool(rules({ when: (_: unknown, ctx: Ctx) => seen.push(ctx) }));
  expect(seen[0]).toMatchObject({ id: 'run-1', toolUseId: 't1.1', turn: 3, owner: 'u1', metadata: { tier: 'gold' } });
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
])('where `when` %s, the call is judged by it with care', async (_, when, needed) => {
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
  expect(warned).toEqual([{ id: 'run-1', toolUseId: 't1.1', tool: 'refund', problem: 'no rates today' }]);
});

test.each([
  ['a text', ({ account }: typeof refund) => account, 'a1'],
  ['a text in a promise', async ({ account }: typeof refund) => account, 'a1'],
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
  expect(one?.[0]?.key).toHaveLength(71);
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
});

test('functions that never end have two seconds together; those that ended count', async () => {
  const started = Date.now();
  const approval = rules({ when: () => new Promise(() => {}), rememberBy: ({ account }: typeof refund) => account });
  const hanging = rules({ rememberBy: () => new Promise(() => {}) });
  const judged = await judge({
    tools: { refund: tool(approval), quick: tool(rules({ when: () => false })), hanging: tool(hanging) } as never,
    calls: ['refund', 'quick', 'hanging'].map((name, i) => ({ toolUseId: `t1.${i}`, name, input: refund })),
  });
  expect(judged).toEqual([
    { needed: true, key: 'a1' },
    { needed: false, key: '' },
    { needed: true, key: hash(refund) },
  ]);
  expect(Date.now() - started).toBeLessThan(3000);
  expect(warned).toHaveLength(2);
});

test('a call after functions that blocked the worker for too long is not judged any more', async () => {
  const block = () => {
    const end = Date.now() + 2100;
    while (Date.now() < end);
    return false;
  };
  const judged = await judge({
    tools: { refund: tool(rules({ when: block })), quick: tool(rules({ when: () => false })) } as never,
    calls: ['refund', 'quick'].map((name, i) => ({ toolUseId: `t1.${i}`, name, input: refund })),
  });
  expect(judged[1]).toEqual({ needed: true, key: '' });
});

test('arguments that do not fit the schema of the tool need a person, and are remembered alone', async () => {
  const input = { account: 'a1' };
  const approval = rules({ when: () => false, rememberBy: () => 'k' });
  const calls = [{ toolUseId: 't1.1', name: 'refund', input }];
  const judged = await judge({ tools: { refund: tool(approval) } as never, calls });
  expect(judged).toEqual([{ needed: true, key: hash(input) }]);
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
    const calls = [{ toolUseId: 't1.1', name: 'bank.refund', input: refund }];
    const policies = { 'bank.refund': { approval: never } };
    expect(await judge({ mcp: { bank: 'bank' }, policies, calls })).toEqual([{ needed: false, key: '' }]);
    expect(await judge({ mcp: { bank: 'bank' }, calls })).toEqual([{ needed: true, key: hash(refund) }]);
  });

  it('is what the run has pinned, where no function had a say in it', async () => {
    const tools = { refund: tool(never) } as never;
    expect(await judge({ tools, pinned: { refund: { asks: false } } })).toEqual([{ needed: true, key: '' }]);
  });

  it('counts for nothing of a tool, or an agent, that a deploy took away: a person is asked, for this call alone', async () => {
    const careful = [{ needed: true, key: hash(refund) }];
    expect(await judge({ tools: {} })).toEqual(careful);
    expect(await judge({ known: false })).toEqual(careful);
    expect(await withTool('never')).toEqual(careful);
    expect(await withTool()).toEqual(careful);
  });

  it('is not that of Object.prototype', async () => {
    const calls = [{ toolUseId: 't1.1', name: 'constructor', input: {} }];
    expect(await judge({ tools: {}, calls })).toEqual([{ needed: true, key: hash({}) }]);
  });
});

test('as a local activity it is refused where the worker does not know the run, to be made again', async () => {
  const activity = createJudgeCalls({ registry: new Registry([]), pins: new PinStore(), log });
  const local = new MockActivityEnvironment({ isLocal: true }, { logger: new DefaultLogger('ERROR') });
  const input = { pin: { manifest: 'unknown', context: 'unknown' }, turn: 1, calls: [] };
  await expect(local.run(activity, input)).rejects.toMatchObject({ type: 'NotInline' });
});
