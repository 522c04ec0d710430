import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { defineAgent, defineTool, type ToolPolicy } from 'holdfast';
import { z } from 'zod';
import { makeManifest } from '../../../activities/context/make-manifest';
import type { McpCallResult } from '../../../activities/mcp';
import { Registry } from '../../../activities/registry';
import { PinStore } from '../../../activities/run/pins';
import type { ToolDeps } from '../../../activities/tools/run-tool';
import { createUndoTool } from '../../../activities/tools/undo-tool';
import type { Ctx } from '../../../agent/define/context';
import type { ContentPart } from '../../../agent/model/message';
import type { ToolOutcome } from '../../../agent/protocol/calls/tool-call';
import type { Effect, ToolSpec } from '../../../agent/protocol/manifest';
import { SILENT_LOG } from '../../../runtime/log';
import { toolSpec } from '../../workflows/state-data';
import { WATCH } from '../loop-watch/watch';

type Undo = (input: { amount: number }, result: unknown, ctx: Ctx) => unknown;
type Inverse = NonNullable<ToolPolicy['undo']>;

const said = (text: string): ContentPart[] => [{ type: 'text', text }];
const logger = new DefaultLogger('ERROR');
const called: unknown[] = [];
afterEach(() => {
  called.length = 0;
});

interface Setting {
  undo?: Undo | undefined;
  inverse?: Inverse;
  /** What the run called, by default `pay`. */
  name?: string;
  content?: ContentPart[];
  attempt?: number;
  effect?: Exclude<Effect, 'read'>;
  attempts?: number;
  timeout?: number;
  /** The worker does not have the agent. */
  without?: true;
  answer?: McpCallResult;
}

/** The outcome of an inverse on a worker with such an agent. */
function undone(setting: Setting): Promise<ToolOutcome> {
  const { undo, inverse, name = 'pay', content = said('{"id":"r1"}'), attempt = 1, answer } = setting;
  const { effect = 'once', attempts = 1, timeout = 5000 } = setting;
  const pay = defineTool({
    description: 'Pays',
    inputSchema: z.object({ amount: z.number().transform((cents) => cents / 100) }),
    effect,
    attempts,
    timeout,
    execute: ({ amount }) => `paid ${amount}`,
    ...(undo === undefined ? {} : { undo }),
  });
  const agent = defineAgent({
    name: 'test.undo',
    tools: { pay },
    mcp: { files: { command: 'files' } },
    ...(inverse === undefined ? {} : { policies: { 'files.move': { undo: inverse, timeout } } }),
  });
  const { modelName: _, ...move } = toolSpec('files.move', {
    kind: 'mcp',
    timeout,
    mcp: { server: 'files', tool: 'move', startTimeout: 1000 },
  });
  const manifest = makeManifest(agent.definition, [move], { searchAttributes: false });
  const asks: ToolSpec = toolSpec('ask_question', { kind: 'loop' });
  const pins = new PinStore(() => 'r');
  const pinned = { ...manifest, tools: [...manifest.tools, asks] };
  const pin = { manifest: pins.put(pinned), context: pins.put({ owner: 'u1', metadata: {} }) };
  const deps = {
    registry: new Registry(setting.without ? [] : [agent]),
    pins,
    log: SILENT_LOG,
    bus: { publish: () => undefined },
    watch: WATCH,
    serverOf: () => ({ command: 'files' }),
    callMcp: async (_definition: unknown, tool: ToolSpec, input: unknown) => {
      called.push([tool.name, input]);
      return answer ?? { content: said('moved') };
    },
  } as unknown as ToolDeps;
  const environment = new MockActivityEnvironment({ workflowType: 'test.undo', attempt }, { logger });
  return environment.run(createUndoTool(deps), {
    pin,
    turn: 3,
    toolUseId: 't1.1',
    idempotencyKey: 'first/t1.1/undo',
    name,
    input: name === 'pay' ? { amount: 700 } : { source: 'a', destination: 'b' },
    content,
  });
}

const move = (inverse: Inverse, more: Setting = {}) => undone({ name: 'files.move', inverse, ...more });
const back: Inverse = ({ source = '', destination = '' }) => ({
  tool: 'files.move',
  input: { source: destination, destination: source },
});

describe('the undo of a custom tool', () => {
  it('gets the input and result of `run`, the call, and a separate key', async () => {
    const seen: unknown[] = [];
    const outcome = await undone({
      undo: (input, result, { toolUseId, idempotencyKey, owner, turn }) => {
        seen.push(input, result, { toolUseId, idempotencyKey, owner, turn });
        return { reversed: true };
      },
    });
    expect(outcome).toEqual({ content: said('{"reversed":true}') });
    const about = { toolUseId: 't1.1', idempotencyKey: 'first/t1.1/undo', owner: 'u1', turn: 3 };
    expect(seen).toEqual([{ amount: 7 }, { id: 'r1' }, about]);
  });

  const image = { type: 'media' as const, mediaType: 'image/png', data: 'aa' };
  it.each<[string, ContentPart[], unknown]>([
    ['a text', said('paid 7'), 'paid 7'],
    ['a value', said('[1,null]'), [1, null]],
    ['media', [image], [image]],
    ['several parts', [...said('1'), image], [...said('1'), image]],
  ])('gets %s as it was returned', async (_, content, expected) => {
    let got: unknown;
    await undone({
      content,
      undo: (_input, result) => {
        got = result;
      },
    });
    expect(got).toEqual(expected);
  });

  it('may say nothing', async () => {
    expect(await undone({ undo: () => undefined })).toEqual({ content: said('done') });
  });

  it('that throws is reported', async () => {
    const undo = () => Promise.reject(new Error('the bank is closed'));
    expect((await undone({ undo })).error).toEqual({
      type: 'ToolFailed',
      message: '`undo of pay` failed: the bank is closed',
    });
  });

  it('that throws is retried if the tool has attempts left', async () => {
    const undo = () => Promise.reject(new Error('busy'));
    const tries = { undo, effect: 'idempotent' as const, attempts: 2 };
    await expect(undone(tries)).rejects.toMatchObject({ type: 'ToolFailed' });
    expect((await undone({ ...tries, attempt: 2 })).error?.type).toBe('ToolFailed');
  });

  it.each([
    ['once', 'OutcomeUnknown'],
    ['idempotent', 'ToolTimedOut'],
  ] as const)('that takes too long, of effect %s, is %s', async (effect, type) => {
    const undo = (_: unknown, __: unknown, { signal }: Ctx) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    expect((await undone({ undo, effect, timeout: 50 })).error?.type).toBe(type);
  });

  it('that this worker no longer has fails the activity, to be scheduled again, unless an attempt may have begun', async () => {
    const missing = { type: 'ToolMissing', message: expect.stringContaining('`pay`') };
    await expect(undone({})).rejects.toMatchObject({ ...missing, nonRetryable: true });
    await expect(undone({ attempt: 2 })).rejects.toMatchObject({ ...missing, nonRetryable: false });
    const unknown = { type: 'UnknownAgent' };
    await expect(undone({ without: true })).rejects.toMatchObject({ ...unknown, nonRetryable: true });
    await expect(undone({ without: true, attempt: 2 })).rejects.toMatchObject({ ...unknown, nonRetryable: false });
  });
});

describe('the undo of an MCP tool', () => {
  it('is the call that the policy names, from arguments and result', async () => {
    let got: unknown;
    const inverse: Inverse = (input, content, ctx) => {
      got = content;
      return back(input, content, ctx);
    };
    expect(await move(inverse)).toEqual({ content: said('moved') });
    expect(called).toEqual([['files.move', { source: 'b', destination: 'a' }]]);
    expect(got).toEqual(said('{"id":"r1"}'));
  });

  it('may be a call of a custom tool, whose arguments are checked', async () => {
    expect(await move(() => ({ tool: 'pay', input: { amount: 100 } }))).toEqual({ content: said('paid 1') });
    const wrong = await move(() => ({ tool: 'pay', input: { amount: 'one' } }));
    expect(wrong.error?.type).toBe('InvalidArguments');
  });

  it.each<[string, Inverse, string[]]>([
    ['names a tool that does not exist', () => ({ tool: 'files.nope', input: {} }), ['ToolMissing', '`files.nope`']],
    ['names what cannot be called', () => ({ tool: 'ask_question', input: {} }), ['ToolFailed', '`ask_question`']],
    ['names nothing', (() => undefined) as never, ['ToolFailed', '{ tool, input }']],
    ['names no arguments', (() => ({ tool: 'files.move' })) as never, ['ToolFailed', '{ tool, input }']],
    [
      'throws',
      () => {
        throw new Error('no idea');
      },
      ['ToolFailed', 'no idea'],
    ],
    ['never ends', () => new Promise(() => undefined), ['ToolTimedOut', '0.05 s']],
  ])('runs nothing where the policy %s', async (_, inverse, [type, says]) => {
    const { error } = await move(inverse, { timeout: 50 });
    expect(error).toMatchObject({ type, message: expect.stringContaining(says as string) });
    expect(error?.message).toContain('`files.move`');
    expect(called).toEqual([]);
  });

  it('is not repeated if it may have run on a worker that was lost', async () => {
    expect((await move(back, { attempt: 2 })).error?.type).toBe('OutcomeUnknown');
    expect(called).toEqual([]);
  });

  it('fails as the call fails', async () => {
    const failed = { content: said('no'), error: { type: 'ToolFailed' as const, message: 'no such file' } };
    expect(await move(back, { answer: failed })).toEqual(failed);
    const unknown = { ...failed, unknown: true as const };
    expect((await move(back, { answer: unknown })).error?.type).toBe('OutcomeUnknown');
  });

  it('that asks a person something first is not done', async () => {
    const needs = { requests: [{ key: 'a', question: 'sure?' }] };
    const { error } = await move(back, { answer: { content: [], needs } });
    expect(error).toMatchObject({ type: 'ToolFailed', message: expect.stringContaining('was not run') });
  });
});
