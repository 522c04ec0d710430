import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { newGate } from '../gate';
import { until } from '../until';

const ROOT = join(__dirname, '..', '..');

/** How often decoding fails before it works: such an exception fails the workflow task. */
let failing = 0;
const codec = {
  encode: async <T>(payloads: T[]) => payloads,
  async decode<T>(payloads: T[]) {
    if (failing-- > 0) throw ApplicationFailure.retryable('the key server is away', 'KeyServer', {});
    return payloads;
  },
};

let broken = true;
let waits = false;
const { open: release, opened: released } = newGate();
const tooled = defineAgent({
  name: 'stacks.tooled',
  tools: {
    pick: defineTool({
      description: 'Picks',
      effect: 'idempotent',
      attempts: 3,
      inputSchema: z.object({}),
      execute() {
        const was = broken;
        broken = false;
        if (was) throw new TypeError('not this time', { cause: new RangeError('nor that one') });
        return 'picked';
      },
    }),
    wait: defineTool({
      description: 'Waits',
      inputSchema: z.object({}),
      execute() {
        waits = true;
        return released;
      },
    }),
  },
});
const unbuilt = defineAgent({
  name: 'stacks.unbuilt',
  contextBuilder: () => {
    throw ApplicationFailure.nonRetryable('no such customer', 'NoCustomer');
  },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  const dataConverter = { payloadCodecs: [codec] };
  kit = await createAgentTestEnvironment({
    agents: [tooled, unbuilt],
    server: 'dev',
    temporal: { dataConverter },
    debugMode: false,
  });
});
afterAll(() => kit.close());

/** All stacks of a run's history, including those of nested causes. */
async function stacks(id: string): Promise<string[]> {
  const found: string[] = [];
  JSON.stringify(await kit.history({ id }), (key, value) => {
    if (key === 'stackTrace' && typeof value === 'string' && value !== '') found.push(value);
    return value;
  });
  return found;
}

/** The history says where in the package it happened, but not where the package is. */
function expectShort(found: string[], place: RegExp): void {
  expect(found.join('\n')).toMatch(place);
  expect(found.filter((stack) => stack.includes(ROOT) || /[( ](\/|file:|[A-Z]:\\)/.test(stack))).toEqual([]);
}

test('a failed attempt of a tool', async () => {
  kit.model.script(call('pick', {}), text('done'));
  const run = await kit.start(tooled, { input: 'x' });
  expect((await run.result()).data).toBe('done');
  expectShort(await stacks(run.id), /\(activities\/tools\/run-tool\.ts:\d+:\d+\)/);
});

test('a failed run, whose cause is a failed activity', async () => {
  const run = await kit.start(unbuilt, { input: 'x' });
  await expect(run.result()).rejects.toThrow('no such customer');
  expectShort(
    await stacks(run.id),
    /activities\/context\/build-context\.ts:\d+:\d+[\s\S]*\(?workflows\/run\/(init|end-run)\.ts:\d+:\d+\)/,
  );
});

test('a run whose type is not an agent', async () => {
  const handle = await kit.client.temporal.workflow.start('toString', {
    taskQueue: kit.taskQueue,
    workflowId: 'stacks-typed',
    args: ['x'],
  });
  await expect(handle.result()).rejects.toThrow();
  expectShort(await stacks('stacks-typed'), / \(?(workflows|agent)\/[\w/-]+\.ts:\d+:\d+/);
});

test('a failed workflow task', async () => {
  kit.model.script(text('done'));
  failing = 1;
  const run = await kit.start(tooled, { input: 'x' });
  expect((await run.result()).data).toBe('done');
  const { events } = await kit.history(run);
  expect(events?.some(({ workflowTaskFailedEventAttributes }) => workflowTaskFailedEventAttributes != null)).toBe(true);
  expectShort(await stacks(run.id), /node_modules\/@temporalio\//);
});

test('an update that fails', async () => {
  kit.model.script(call('wait', {}), text('done'));
  const run = await kit.start(tooled, { input: 'x' });
  await until(() => waits, 'the call');
  await expect(run.approve({ toolUseId: 't9.9' }, { by: 'ann' })).rejects.toThrow('t9.9');
  release();
  await run.result();
  expectShort(await stacks(run.id), /workflows\/commands\/take-commands\.ts:\d+:\d+/);
});

test('the workflow bundle names no folder of the machine that built it', async () => {
  const code = await readFile(process.env.HOLDFAST_WORKFLOW_BUNDLE ?? '', 'utf8');
  const [, map = ''] = /sourceMappingURL=data:application\/json;charset=utf-8;base64,([\w+/=]+)/.exec(code) ?? [];
  const mapText = Buffer.from(map, 'base64').toString();
  const { sources } = JSON.parse(mapText) as { sources: string[] };
  expect(sources).toEqual(expect.arrayContaining(['workflows/calls/act.ts', expect.stringMatching(/^node_modules\//)]));
  expect(sources.filter((source) => source.startsWith('/'))).toEqual([]);
  expect(code.includes(ROOT) || mapText.includes(ROOT)).toBe(false);
});
