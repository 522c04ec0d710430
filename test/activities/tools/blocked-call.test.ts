import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';
import { makeManifest } from '../../../activities/context/make-manifest';
import { Registry } from '../../../activities/registry';
import { PinStore } from '../../../activities/run/pins';
import { LateOutcomes } from '../../../activities/tools/late-outcomes';
import { createRunTool, type ToolDeps } from '../../../activities/tools/run-tool';
import type { ToolOutcome } from '../../../agent/protocol/calls/tool-call';
import type { Effect } from '../../../agent/protocol/manifest';
import { SILENT_LOG } from '../../../runtime/log';

const HEARTBEAT_TIMEOUT = 50;

/**
 * What the server is told about a call that blocked the worker for longer than its heartbeat timeout, and never ended.
 */
async function toldOf(effect: Exclude<Effect, 'read'>): Promise<ToolOutcome[]> {
  const pay = defineTool({ description: 'Pays', inputSchema: z.object({}), effect, execute: () => 'paid' });
  const agent = defineAgent({ name: 'test.blocked', tools: { pay } });
  const pins = new PinStore(() => 'r');
  const manifest = makeManifest(agent.definition, [], { searchAttributes: false });
  const pin = { manifest: pins.put(manifest), context: pins.put({ owner: 'u1', metadata: {} }) };
  const told: ToolOutcome[] = [];
  const signals: AbortSignal[] = [];
  const client = {
    // As in Temporal: requests of an activity are cancelled with it.
    async withAbortSignal<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
      signals.push(signal);
      return ask().finally(() => signals.pop());
    },
    activity: {
      async complete(_place: unknown, outcome: ToolOutcome) {
        signals.at(-1)?.throwIfAborted();
        told.push(outcome);
      },
    },
  };
  const environment = new MockActivityEnvironment(
    { workflowType: 'test.blocked', activityType: 'pay', heartbeatTimeoutMs: HEARTBEAT_TIMEOUT },
    { client: client as never, logger: new DefaultLogger('ERROR') },
  );
  const deps = {
    registry: new Registry([agent]),
    pins,
    log: SILENT_LOG,
    late: new LateOutcomes(SILENT_LOG),
    watch: {
      run: (_call: unknown, _work: unknown, blocked: (ms: number) => void) => {
        blocked(2 * HEARTBEAT_TIMEOUT);
        environment.cancel('TIMED_OUT', new ActivityCancellationDetails({ timedOut: true }));
        return new Promise(() => undefined);
      },
    },
  } as unknown as ToolDeps;
  const call = { pin, turn: 1, toolUseId: 't1.1', idempotencyKey: 'k', input: {} };
  await expect(environment.run(createRunTool(deps), call as never)).rejects.toThrow('The tool was cancelled.');
  return told;
}

test('a call that may have acted has an unknown outcome, a repeatable call has no result', async () => {
  expect(await toldOf('once')).toMatchObject([{ error: { type: 'OutcomeUnknown' } }]);
  const [told] = await toldOf('idempotent');
  expect(told).toMatchObject({ error: { type: 'ToolFailed' } });
  expect(told?.error?.message).toContain('it blocked its worker for 0.1 s');
});
