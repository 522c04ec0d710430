import { MockActivityEnvironment } from '@temporalio/testing';
import { z } from 'zod';
import { Registry } from '../../../activities/registry';
import { PinStore } from '../../../activities/run/pins';
import { createCheckAnswers } from '../../../activities/services/check-answers';
import { createCheckArguments } from '../../../activities/services/check-arguments';
import { toJsonSchema } from '../../../agent/contracts/schema';
import type { Agent } from '../../../agent/define/agent-definition';
import { DEFAULT_LIMITS } from '../../../agent/limits';
import type { AnswerVerdict } from '../../../agent/protocol/activities';
import type { JsonSchema, Manifest } from '../../../agent/protocol/manifest';
import type { Json, JsonObject } from '../../../agent/values/json';
import { SILENT_LOG } from '../../../runtime/log';
import { WATCH } from '../loop-watch/watch';

const environment = () => new MockActivityEnvironment({ workflowType: 'test.agent' });

function pinned(tools: object[]) {
  const pins = new PinStore(() => 'r');
  const manifest = {
    version: 1,
    agent: 'test.agent',
    models: ['default'],
    limits: DEFAULT_LIMITS,
    checksOutput: false,
    searchAttributes: false,
    tools,
  } as unknown as Manifest;
  return { pins, pin: { manifest: pins.put(manifest), context: '' } };
}

describe('holdfast.checkArguments', () => {
  const input = z.object({
    account: z.string().refine((account) => {
      if (account === 'broken') throw new Error('no rates today');
      return account !== 'closed';
    }, 'is closed'),
    amount: z.number(),
  });
  const slow = z.object({}).refine(() => new Promise<boolean>(() => {}));

  function checkArguments(name: string, given: JsonObject) {
    const run = () => 'done';
    const definition = {
      name: 'test.agent',
      mcp: { bank: 'bank' },
      tools: {
        refund: { description: 'd', inputSchema: input, execute: run },
        slow: { description: 'd', inputSchema: slow, execute: run },
      },
    };
    const { pins, pin } = pinned([
      { name: 'refund', kind: 'internal', inputSchema: toJsonSchema(input) },
      { name: 'slow', kind: 'internal', inputSchema: toJsonSchema(slow) },
      { name: 'gone', kind: 'internal', inputSchema: toJsonSchema(input) },
      {
        name: 'bank.refund',
        kind: 'mcp',
        mcp: { server: 'bank' },
        inputSchema: { type: 'object', required: ['account'] },
      },
      {
        name: 'bank.odd',
        kind: 'mcp',
        mcp: { server: 'bank' },
        inputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } },
      },
    ]);
    const registry = new Registry([{ name: 'test.agent', definition } as unknown as Agent]);
    const activity = createCheckArguments({ registry, pins, log: SILENT_LOG, watch: WATCH });
    return environment().run(activity, { pin, toolUseId: 't1.1', name, input: given });
  }

  it('accepts arguments that fit', async () => {
    expect(await checkArguments('refund', { account: 'a1', amount: 5 })).toMatchObject({ ok: true });
    expect(await checkArguments('bank.refund', { account: 'a1' })).toMatchObject({ ok: true });
  });

  it('names each failing path of the pinned schema', async () => {
    expect(await checkArguments('refund', { amount: 'much' })).toEqual({
      ok: false,
      problem: 'account: is required; amount: must be number',
    });
    expect(await checkArguments('bank.refund', {})).toEqual({ ok: false, problem: 'account: is required' });
  });

  it('asks the schema of an internal tool itself for what JSON Schema cannot say', async () => {
    expect(await checkArguments('refund', { account: 'closed', amount: 5 })).toEqual({
      ok: false,
      problem: 'account: is closed',
    });
  });

  it('survives a schema that throws, one that never ends, and one that cannot be compiled', async () => {
    expect(await checkArguments('refund', { account: 'broken', amount: 5 })).toEqual({
      ok: false,
      problem: 'the check failed: no rates today',
    });
    expect(await checkArguments('slow', {})).toMatchObject({ ok: false, problem: expect.stringContaining('2000 ms') });
    expect(await checkArguments('bank.odd', {})).toMatchObject({ ok: true });
  });

  it('is sent to another worker if this one no longer has the tool, unless the pinned schema says enough', async () => {
    const missing = { type: 'ToolMissing', nonRetryable: true };
    await expect(checkArguments('gone', { account: 'closed', amount: 5 })).rejects.toMatchObject(missing);
    expect(await checkArguments('gone', { account: 'a1' })).toMatchObject({ ok: false });
  });

  it('refuses a name that the run does not know', async () => {
    expect(await checkArguments('constructor', {})).toMatchObject({
      ok: false,
      problem: 'the run has no tool `constructor`',
    });
  });
});

describe('holdfast.checkAnswers', () => {
  const left: JsonSchema = { type: 'object', properties: { left: { type: 'number' } }, required: ['left'] };
  const none: JsonSchema = { type: 'object', properties: { until: { type: 'string' } }, required: ['until'] };
  const emits = { 'evt.stock.success': left, 'evt.stock.none': none };

  async function checkAnswer(data: Json, { type, name = 'stock' }: { type?: string; name?: string } = {}) {
    const service = (given: object) => ({ kind: 'event', contract: { emits: given } });
    const { pins, pin } = pinned([
      { name: 'stock', kind: 'service', service: service(emits) },
      { name: 'single', kind: 'service', service: service({ 'evt.single': left }) },
      { name: 'lookup', kind: 'internal' },
    ]);
    const activity = createCheckAnswers({ registry: new Registry([]), pins, log: SILENT_LOG });
    const answer = { name, data, ...(type === undefined ? {} : { type }) };
    const answers = [answer, { name: 'single', data: { left: 1 } }];
    const [verdict, other] = (await environment().run(activity, { pin, answers })) as AnswerVerdict[];
    expect(other).toEqual({ ok: true, type: 'evt.single' });
    return verdict;
  }

  it('checks an event by the schema of its type', async () => {
    expect(await checkAnswer({ left: 3 }, { type: 'evt.stock.success' })).toEqual({ ok: true });
    expect(await checkAnswer({ left: 3 }, { type: 'evt.stock.none' })).toEqual({
      ok: false,
      problem: 'until: is required',
    });
    expect(await checkAnswer({ left: 'few' }, { type: 'evt.stock.success' })).toEqual({
      ok: false,
      problem: 'left: must be number',
    });
  });

  it.each(['evt.stock.maybe', 'toString'])('names the type `%s`, which the contract does not have', async (type) => {
    expect(await checkAnswer({ left: 3 }, { type })).toEqual({
      ok: false,
      problem: `type: \`${type}\` is not an answer of the contract, which has \`evt.stock.success\`, \`evt.stock.none\``,
    });
  });

  it('accepts plain data that fits any of the answers', async () => {
    expect(await checkAnswer({ left: 3 })).toEqual({ ok: true, type: 'evt.stock.success' });
    expect(await checkAnswer({ until: 'monday' })).toMatchObject({
      ok: true,
      type: expect.stringContaining('evt.stock.'),
    });
    expect(await checkAnswer({ left: 'few' }, { name: 'single' })).toEqual({
      ok: false,
      problem: 'left: must be number',
    });
    expect(await checkAnswer(null)).toEqual({
      ok: false,
      problem:
        'it fits no answer of the contract: not `evt.stock.success` (must be object), not `evt.stock.none` (must be object)',
    });
  });

  it('refuses an answer for an unknown service of the run', async () => {
    expect(await checkAnswer({}, { name: 'lookup' })).toEqual({
      ok: false,
      problem: 'the run has no service `lookup`',
    });
  });
});
