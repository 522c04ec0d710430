import type { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { defineAgent, defineTool, type Effect } from 'holdfast';
import { z } from 'zod';
import { makeManifest } from '../../../activities/context/make-manifest';
import type { McpCallResult } from '../../../activities/mcp/call-tool';
import { Registry } from '../../../activities/registry';
import { PinStore } from '../../../activities/run/pins';
import { LateOutcomes } from '../../../activities/tools/late-outcomes';
import { createRunTool, type ToolDeps } from '../../../activities/tools/run-tool';
import { ATTEMPTS } from '../../../agent/limits';
import type { ToolOutcome } from '../../../agent/protocol/calls/tool-call';
import { SILENT_LOG } from '../../../runtime/log';

const NAME = 'test.clerk';
const toolOf = (effect: Effect, inputSchema: z.ZodObject = z.object({})) =>
  defineTool({ description: 'Books', effect, inputSchema, execute: () => 'booked' });
const agentOf = (tools: { [name: string]: ReturnType<typeof toolOf> }) => defineAgent({ name: NAME, tools });
const mcpResult = (notRun: boolean): McpCallResult => {
  const message = 'The call did not reach the MCP server `desk`.';
  return {
    content: [{ type: 'text', text: message }],
    error: { type: 'McpServerFailed', message },
    ...(notRun ? { notRun } : {}),
  };
};

/** One attempt at a call of a run that pinned the tool with this effect, on a worker that has these agents now. */
function attemptAt(
  attempt: number,
  { effect = 'idempotent', now, mcp }: { effect?: Effect; now?: ReturnType<typeof agentOf>; mcp?: McpCallResult },
): Promise<ToolOutcome> {
  const pins = new PinStore(() => 'r');
  const { definition } = mcp === undefined ? agentOf({ book: toolOf(effect) }) : agentOf({});
  const discovered = { name: 'desk.book', modelName: 'desk_book', kind: 'mcp', mcp: { server: 'desk', tool: 'book' } };
  const plain = makeManifest(definition, [], { searchAttributes: false });
  const tools = mcp === undefined ? plain.tools : [{ ...discovered, effect, attempts: 1, timeout: 1000 }];
  const manifest = { ...plain, tools: tools as typeof plain.tools };
  const pin = { manifest: pins.put(manifest), context: pins.put({ owner: 'u1', metadata: {} }) };
  const activityType = mcp === undefined ? 'book' : 'desk.book';
  const environment = new MockActivityEnvironment({ workflowType: NAME, activityType, attempt });
  const deps = {
    registry: new Registry(now === undefined ? [] : [now]),
    pins,
    log: SILENT_LOG,
    late: new LateOutcomes(SILENT_LOG),
    watch: { run: (_: unknown, work: () => unknown) => work() },
    serverOf: () => ({ url: 'http://127.0.0.1:1' }),
    callMcp: async () => mcp,
  } as unknown as ToolDeps;
  const call = { pin, turn: 1, toolUseId: 't1.1', idempotencyKey: 'k', input: {} };
  return environment.run(createRunTool(deps), call as never) as Promise<ToolOutcome>;
}

const gone = { now: agentOf({}) };
const changed = { now: agentOf({ book: toolOf('idempotent', z.object({ day: z.string() })) }) };
const onServer = (notRun: boolean) => ({
  now: defineAgent({ name: NAME, mcp: { desk: { url: 'http://127.0.0.1:1' } } }),
  mcp: mcpResult(notRun),
});

test.each([
  ['its arguments no longer fit', changed, 'The arguments do not fit: day: '],
  ['its server cannot be reached', onServer(true), 'The call did not reach the MCP server `desk`.'],
])(
  'of an `idempotent` call whose earlier attempt may have acted, the outcome is unknown when %s',
  async (_, world, why) => {
    expect((await attemptAt(1, world)).error).toMatchObject({ message: expect.stringMatching(new RegExp(`^${why}`)) });
    const { error } = await attemptAt(2, world);
    expect(error?.type).toBe('OutcomeUnknown');
    expect(error?.message).toMatch(
      /^It is unknown whether `(desk_)?book` took effect: an earlier attempt may have run/,
    );
    expect(error?.message).toContain(why);
  },
);

test('of a call that has run, it is not', async () => {
  expect((await attemptAt(2, onServer(false))).error?.type).toBe('McpServerFailed');
});

test.each([
  ['tool', gone, 'ToolMissing', 'no worker has the tool `book`'],
  ['agent', {}, 'UnknownAgent', 'no worker has the agent of the tool'],
])('where its %s is gone, the next attempt counts on from the earlier ones', async (_, world, type, why) => {
  const failed = async (attempt: number) =>
    (await attemptAt(attempt, world).catch((e: unknown) => e)) as ApplicationFailure;
  expect(await failed(1)).toMatchObject({ type, nonRetryable: true });
  expect(await failed(2)).toMatchObject({ type, nonRetryable: false });
  expect(await failed(ATTEMPTS - 1)).toMatchObject({ type, nonRetryable: false });
  const last = await attemptAt(ATTEMPTS, world);
  expect(last.error?.type).toBe('OutcomeUnknown');
  expect(last.error?.message).toContain(why);
});

test('a `read` call has changed nothing, and is scheduled again as before', async () => {
  expect(await attemptAt(2, { effect: 'read', ...gone }).catch((e: unknown) => e)).toMatchObject({
    nonRetryable: true,
  });
  expect((await attemptAt(2, { effect: 'read', ...changed })).error?.type).toBe('InvalidArguments');
});
