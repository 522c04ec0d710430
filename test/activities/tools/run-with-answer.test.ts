import { setTimeout as delay } from 'node:timers/promises';
import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { type Ctx, defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';
import { makeManifest } from '../../../activities/context/make-manifest';
import { Registry } from '../../../activities/registry';
import type { ToolDeps } from '../../../activities/tools/run-tool';
import { createRunWithAnswer } from '../../../activities/tools/run-with-answer';
import type { AgentDefinition } from '../../../agent/define/agent-definition';
import type { ToolRequest } from '../../../agent/model/answer';
import type { CallModelResult } from '../../../agent/protocol/calls/model-call';
import type { ResultWithAnswer } from '../../../agent/protocol/calls/tool-call';
import { SILENT_LOG } from '../../../runtime/log';
import { hashOfArguments } from '../../../runtime/sha256';
import { modelAnswer } from '../../workflows/state-data';
import { WATCH } from '../loop-watch/watch';

type Work = (input: { n?: number | undefined }, ctx: Ctx) => unknown;
const input = z.object({ n: z.number().optional() });
const read = (run: Work, more: object = {}) =>
  defineTool({ description: 'Reads', inputSchema: input, effect: 'read', placement: 'inline', execute: run, ...more });

const ran: string[] = [];
const note = async (name: string, ms: number, ctx: Ctx) => {
  ran.push(name);
  await delay(ms, undefined, { signal: ctx.signal });
  ran.push(`${name} done`);
  return name;
};
afterEach(() => {
  ran.length = 0;
});

interface Setting extends Partial<AgentDefinition> {
  calls: [name: string, more?: Partial<ToolRequest>][];
  attempt?: number;
  chainId?: string | undefined;
  /** The model's text beside its calls. */
  text?: string;
  /** Milliseconds after which the run is cancelled. */
  cancelAfter?: number;
  /** Why, as reported by the server. */
  how?: ConstructorParameters<typeof ActivityCancellationDetails>[0];
  /** The worker does not have the agent. */
  without?: true;
}

async function answered(setting: Setting): Promise<CallModelResult> {
  const { calls, attempt = 1, text, cancelAfter, how = { cancelRequested: true }, without, ...definition } = setting;
  const { chainId = 'chain', ...tools } = definition;
  const agent = defineAgent({ name: 'test.inline', ...tools } as AgentDefinition);
  const manifest = makeManifest(agent.definition, [], { searchAttributes: false });
  const deps = { registry: new Registry(without ? [] : [agent]), log: SILENT_LOG, watch: WATCH } as unknown as ToolDeps;
  const requests = calls.map(([name, more = {}]) => {
    const given = more.input ?? {};
    return { name, input: given, hash: hashOfArguments(given), ...more };
  });
  const environment = new MockActivityEnvironment(
    { workflowType: 'test.inline', attempt },
    { logger: new DefaultLogger('ERROR') },
  );
  if (cancelAfter !== undefined) {
    setTimeout(() => environment.cancel('CANCELLED', new ActivityCancellationDetails(how)), cancelAfter);
  }
  return environment.run(() =>
    createRunWithAnswer(deps)({
      call: { turn: 2, ...('chainId' in setting && setting.chainId === undefined ? {} : { chainId }) },
      answer: modelAnswer({ requests, ...(text === undefined ? {} : { text }) }),
      manifest,
      context: { metadata: { tier: 'gold' } },
      cancelled: environment.context.cancellationSignal,
    }),
  );
}

async function results(setting: Setting): Promise<ResultWithAnswer[]> {
  return (await answered(setting)).results ?? [];
}
const texts = (all: ResultWithAnswer[]) =>
  all.map(({ toolUseId, outcome }) => [toolUseId, outcome.error?.type ?? outcome.content]);
const says = (text: string) => [{ type: 'text', text }];

it('runs the calls of an answer at once and returns their results in call order, with their times', async () => {
  const tools = { slow: read((_, ctx) => note('slow', 60, ctx)), quick: read((_, ctx) => note('quick', 0, ctx)) };
  const all = await results({ tools, calls: [['slow'], ['quick']] });
  expect(texts(all)).toEqual([
    ['t2.1', says('slow')],
    ['t2.2', says('quick')],
  ]);
  expect(ran).toEqual(['slow', 'quick', 'quick done', 'slow done']);
  for (const { start, end } of all) expect(end).toBeGreaterThanOrEqual(start);
});

it('tells a tool the same as in a separate activity', async () => {
  const told: Ctx[] = [];
  const tools = { look: read((_, ctx) => told.push(ctx)) };
  await results({ tools, calls: [['look', { input: { n: 1 } }]] });
  const key = `chain/${hashOfArguments({ n: 1 }).slice(0, 32)}/t2.1`;
  expect(told).toMatchObject([{ turn: 2, toolUseId: 't2.1', idempotencyKey: key, metadata: { tier: 'gold' } }]);
  expect(() => told[0]?.heartbeat({ half: true })).not.toThrow();
});

it.each<[string, object]>([
  ['of another effect', { effect: 'idempotent' }],
  ['that need approval', { approval: 'always' }],
  ['that are not inline', { placement: 'activity' }],
])('runs nothing beside calls %s', async (_, more) => {
  const tools = { look: read(() => 'seen'), other: read(() => 'done', more) };
  expect(await results({ tools, calls: [['look'], ['other']] })).toEqual([]);
});

it('runs what can be run beside calls that cannot', async () => {
  const problem = { type: 'InvalidArguments', message: 'no' } as const;
  const tools = { look: read(() => 'seen') };
  const all = await results({ tools, calls: [['look', { problem }], ['nowhere'], ['look']] });
  expect(texts(all)).toEqual([['t2.3', says('seen')]]);
});

it('leaves calls of more than 500 ms to activities, and aborts their signal', async () => {
  let reason: unknown;
  const hangs: Work = (_, { signal }) =>
    new Promise(() => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
      });
    });
  const tools = { hangs: read(hangs), quick: read(() => 'quick') };
  const began = performance.now();
  expect(texts(await results({ tools, calls: [['hangs'], ['quick']] }))).toEqual([['t2.2', says('quick')]]);
  expect(performance.now() - began).toBeGreaterThan(450);
  expect(String(reason)).toContain('Timed out');
});

it('reports the timeout of a tool with a shorter limit', async () => {
  const tools = { hangs: read(() => new Promise(() => undefined), { timeout: 50 }) };
  expect(texts(await results({ tools, calls: [['hangs']] }))).toEqual([['t2.1', 'ToolTimedOut']]);
});

it('leaves to activities results over 64 KB, and those that no longer fit beside their answer', async () => {
  const tools = { dump: read(({ n = 0 }) => 'x'.repeat(n)) };
  const dump = (n: number): [string, Partial<ToolRequest>] => ['dump', { input: { n } }];
  const limits = { maxResultChars: 1_000_000 };
  const kept = await results({ tools, limits, calls: [dump(65_000), dump(66_000), dump(10)] });
  expect(kept.map(({ toolUseId }) => toolUseId)).toEqual(['t2.1', 't2.3']);
  const many = Array.from({ length: 30 }, () => dump(60_000));
  expect(await results({ tools, limits, calls: many })).toHaveLength(17);
  expect(await results({ tools, limits, calls: many, text: 'x'.repeat(900_000) })).toHaveLength(2);
});

it('runs the first 40 calls of an answer', async () => {
  const tools = { look: read(() => 'seen') };
  const all = await results({ tools, calls: Array.from({ length: 50 }, (): [string] => ['look']) });
  expect(all.map(({ toolUseId }) => toolUseId)).toEqual(Array.from({ length: 40 }, (_, i) => `t2.${i + 1}`));
});

it('reports what a tool threw, unless it is to be retried', async () => {
  const broken: Work = () => {
    throw new Error('no such file');
  };
  const [once] = await results({ tools: { look: read(broken) }, calls: [['look']] });
  expect(once?.outcome.error).toEqual({ type: 'ToolFailed', message: '`look` failed: no such file' });
  expect(await results({ tools: { look: read(broken, { attempts: 3 }) }, calls: [['look']] })).toEqual([]);
});

it.each<[string, Partial<Setting>, object]>([
  ['a serial agent', { execution: 'serial' }, {}],
  ['a serial tool', {}, { execution: 'serial' }],
])(
  'leaves the calls of %s to activities: a call that continues past its time would run in parallel with itself',
  async (_, agent, more) => {
    const tools = { look: read(() => 'seen', more) };
    expect(await results({ ...agent, tools, calls: [['look'], ['look']] })).toEqual([]);
  },
);

it('leaves to an activity a tool whose result is not JSON: the answer is paid for', async () => {
  const strange = { type: 'text', text: 'x', raw: 10n };
  const tools = { strange: read(() => strange), look: read(() => 'seen') };
  expect(texts(await results({ tools, calls: [['strange'], ['look']] }))).toEqual([['t2.2', says('seen')]]);
});

it('returns finished results when the run is cancelled; the other calls are cancelled', async () => {
  const tools = { quick: read(() => 'quick'), hangs: read((_, ctx) => note('hangs', 10_000, ctx)) };
  const all = await results({ tools, calls: [['quick'], ['hangs']], cancelAfter: 50 });
  expect(texts(all)).toEqual([
    ['t2.1', says('quick')],
    ['t2.2', 'ToolCancelled'],
  ]);
});

it.each([
  ['its worker shuts down', { workerShutdown: true }],
  ['an operator pauses the activity', { paused: true }],
  ['an operator resets the activity', { reset: true }],
])('lets the calls end when %s: they were not cancelled', async (_, how) => {
  const tools = { slow: read((_given, ctx) => note('slow', 100, ctx)) };
  const all = await results({ tools, calls: [['slow']], cancelAfter: 20, how });
  expect(texts(all)).toEqual([['t2.1', says('slow')]]);
});

it.each<[string, Partial<Setting>]>([
  ['another attempt at the model call: a previous one may have died because of the tools', { attempt: 2 }],
  ['a run that began before this existed', { chainId: undefined }],
  ['a worker that does not have the agent', { without: true }],
])('runs nothing in %s', async (_, more) => {
  expect(await results({ tools: { look: read(() => 'seen') }, calls: [['look']], ...more })).toEqual([]);
});
