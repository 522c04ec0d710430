import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { CircuitBreaker } from '../../../../activities/model/circuit/breaker';
import { createCompact } from '../../../../activities/model/compaction/compact';
import type { CompactInput } from '../../../../agent/protocol/calls/compaction';
import type { ModelHeartbeat } from '../../../../agent/protocol/calls/model-call';
import { SILENT_LOG } from '../../../../runtime/log';
import { WATCH } from '../../loop-watch/watch';

const prefix = { epoch: 0, length: 0, hash: '' };
const input: CompactInput = {
  ...{ pin: { manifest: 'a', context: 'b' }, turn: 3, model: 'default', writer: 'default', method: 'summarise' },
  ...{ keep: 1, prefix, transcript: { ...prefix, length: 3 }, trimming: { from: 0 }, opened: 0 },
};
const reserved = { usage: { prompt: 50, completion: 500, estimated: true as const }, executionUnits: 550 };
const lost: ModelHeartbeat = {
  spending: { usage: { prompt: 50, completion: 1 }, executionUnits: 51 },
  settled: { attempts: 0, spending: { usage: { prompt: 0, completion: 0 }, executionUnits: 0 } },
  reserved,
};

it.each([
  ['is without the agent', 'UnknownAgent', true],
  ['cannot load the transcript', 'PagesMissing', false],
])('an attempt at a summary that was lost is paid for where the next worker %s', async (_, type, nonRetryable) => {
  const env = new MockActivityEnvironment(
    { attempt: 2, startToCloseTimeoutMs: 300_000, heartbeatDetails: lost },
    { logger: new DefaultLogger('ERROR') },
  );
  const beats: ModelHeartbeat[] = [];
  env.on('heartbeat', (details: ModelHeartbeat) => beats.push(details));
  const failure = ApplicationFailure.create({ type, message: 'no', nonRetryable });
  const activity = createCompact({
    models: {},
    load: () => Promise.reject(failure),
    keep: () => '',
    agentOf: () => undefined,
    watch: WATCH,
    log: SILENT_LOG,
    leases: { during: (_about, call) => call() },
    breaker: new CircuitBreaker({ warn() {} }),
  });
  await expect(env.run(activity, input)).rejects.toMatchObject({ type, nonRetryable, details: [null, reserved] });
  expect(beats.at(-1)).toMatchObject({ settled: { attempts: 2, spending: reserved } });
});
