import { ActivityFailure, ApplicationFailure, CancelledFailure, RetryState, TimeoutFailure } from '@temporalio/common';
import { DECISIONS, SINCE } from '../../../agent/protocol/decisions';
import type { ToolSpec } from '../../../agent/protocol/manifest';
import { outcomeOfFailure } from '../../../workflows/calls/failure-outcome';
import { runState, toolSpec } from '../state-data';

const deciding = (decisions: number) => {
  const { manifest } = runState();
  return manifest === undefined ? {} : { manifest: { ...manifest, decisions } };
};
const outcomeIn = (error: unknown, tool: ToolSpec, decisions = DECISIONS) =>
  outcomeOfFailure(error, tool, deciding(decisions));
const failure = (cause: Error) => new ActivityFailure('failed', 'tool', 't1.1', RetryState.TIMEOUT, 'worker', cause);
const timeout = (type: 'HEARTBEAT' | 'START_TO_CLOSE' | 'SCHEDULE_TO_CLOSE' | 'SCHEDULE_TO_START') =>
  failure(new TimeoutFailure('late', undefined, type));
const cancelled = (...details: unknown[]) => failure(new CancelledFailure('cancelled', details));

it.each<[string, Error, Partial<ToolSpec>, string]>([
  ['a once tool whose worker died', timeout('HEARTBEAT'), { effect: 'once' }, 'OutcomeUnknown'],
  ['a once tool past start-to-close', timeout('START_TO_CLOSE'), { effect: 'once' }, 'OutcomeUnknown'],
  ['a once tool past schedule-to-close', timeout('SCHEDULE_TO_CLOSE'), { effect: 'once' }, 'OutcomeUnknown'],
  ['a once tool that no worker took', timeout('SCHEDULE_TO_START'), { effect: 'once' }, 'ToolTimedOut'],
  [
    'a once tool whose worker shut down',
    failure(ApplicationFailure.create({ type: 'WorkerShutdown' })),
    { effect: 'once' },
    'OutcomeUnknown',
  ],
  ['a read tool whose worker died for good', timeout('HEARTBEAT'), { effect: 'read' }, 'ToolFailed'],
  [
    'an idempotent tool whose worker shut down',
    failure(ApplicationFailure.create({ type: 'WorkerShutdown' })),
    { effect: 'idempotent' },
    'OutcomeUnknown',
  ],
  [
    'an idempotent tool whose arguments no storage gave',
    failure(ApplicationFailure.create({ type: 'StorageUnavailable' })),
    { effect: 'idempotent' },
    'OutcomeUnknown',
  ],
  [
    'a read tool whose arguments no storage gave',
    failure(ApplicationFailure.create({ type: 'StorageUnavailable' })),
    { effect: 'read' },
    'ToolFailed',
  ],
  ['an idempotent tool that no worker took', timeout('SCHEDULE_TO_START'), { effect: 'idempotent' }, 'ToolTimedOut'],
  [
    'an idempotent tool that no worker has',
    failure(ApplicationFailure.nonRetryable('gone', 'ToolMissing')),
    { effect: 'idempotent' },
    'ToolMissing',
  ],
  ['an idempotent tool cancelled before it began', cancelled(), { effect: 'idempotent' }, 'ToolCancelled'],
  [
    'an activity that failed by itself',
    failure(ApplicationFailure.create({ type: 'Error', message: 'x' })),
    { effect: 'once' },
    'ToolFailed',
  ],
  [
    'a once tool that no worker has',
    failure(ApplicationFailure.nonRetryable('gone', 'ToolMissing')),
    { effect: 'once' },
    'ToolMissing',
  ],
  [
    'a once tool whose result cannot be read',
    ApplicationFailure.create({ type: 'UnreadablePayload' }),
    { effect: 'once' },
    'OutcomeUnknown',
  ],
  [
    'a once tool whose result no storage took',
    failure(ApplicationFailure.create({ type: 'StorageNotWritten' })),
    { effect: 'once' },
    'OutcomeUnknown',
  ],
  [
    'a once tool whose arguments no storage gave',
    failure(ApplicationFailure.create({ type: 'StorageUnavailable' })),
    { effect: 'once' },
    'ToolFailed',
  ],
  ['a once tool cancelled in the middle', cancelled('started'), { effect: 'once' }, 'OutcomeUnknown'],
  ['a once tool cancelled before it began', cancelled(), { effect: 'once' }, 'ToolCancelled'],
  ['a once tool that is abandoned', cancelled(), { effect: 'once', cancellation: 'abandon' }, 'OutcomeUnknown'],
  ['a read tool cancelled in the middle', cancelled('started'), { effect: 'read' }, 'ToolCancelled'],
])('%s is mapped to the right error type', (_what, error, more, type) => {
  const outcome = outcomeIn(error, toolSpec('tool', more));
  expect(outcome.error?.type).toBe(type);
  expect(outcome.content).toEqual([{ type: 'text', text: outcome.error?.message }]);
});

const application = (type: string, message: string) => ApplicationFailure.create({ type, message });
const unknown = (why: string) =>
  `It is unknown whether \`files_tool\` took effect: ${why}. The same call does not run again. ` +
  'Find out with another tool whether it took effect, or say in your answer that you do not know.';
const unknownAgain = (why: string) =>
  `It is unknown whether \`files_tool\` took effect: ${why}. Before you call it again, find out with another tool ` +
  'whether it took effect. If you cannot, say in your answer that you do not know.';
const missing = (type: string, message: string) => ApplicationFailure.nonRetryable(message, type);
const instead = 'Do not call it again. Use another tool, or say in your answer what you could not do.';

it.each<[string, unknown, Partial<ToolSpec>, string]>([
  ['whose worker died', timeout('HEARTBEAT'), {}, unknown('its worker died or stopped answering')],
  [
    'that may be repeated and whose worker died',
    timeout('HEARTBEAT'),
    { effect: 'idempotent' },
    unknownAgain('its worker died or stopped answering'),
  ],
  [
    'that may be repeated and whose arguments no storage gave',
    failure(application('StorageUnavailable', 'no bucket')),
    { effect: 'idempotent' },
    unknownAgain(
      'an earlier attempt may have run, and no further one could: its arguments could not be read from their storage',
    ),
  ],
  [
    'whose arguments no storage gave',
    failure(application('StorageUnavailable', 'no bucket')),
    {},
    '`files_tool` was not run: its arguments could not be read from their storage.',
  ],
  ['that no worker took', timeout('SCHEDULE_TO_START'), {}, '`files_tool` was never started.'],
  [
    'whose worker shut down',
    failure(application('WorkerShutdown', 'x')),
    {},
    unknown('its worker was shut down during the call'),
  ],
  [
    'whose result cannot be read',
    application('UnreadablePayload', 'x'),
    {},
    unknown('it ran, but its result cannot be read'),
  ],
  [
    'that only reads and whose result cannot be read',
    application('UnreadablePayload', 'x'),
    { effect: 'read' },
    '`files_tool` gave no result: it ran, but its result cannot be read.',
  ],
  [
    'that could not read something itself',
    failure(application('UnreadablePayload', 'no such file')),
    {},
    '`files_tool` failed: no such file',
  ],
  ['that threw', failure(application('Error', 'no money')), {}, '`files_tool` failed: no money'],
  ['that failed without an activity', new Error('no room'), {}, '`files_tool` failed: no room'],
  ['that failed with nothing', undefined, {}, '`files_tool` failed: undefined'],
  ['that failed with a string', 'a text', {}, '`files_tool` failed: a text'],
  [
    'that no worker has',
    failure(missing('ToolMissing', 'the tool is gone.')),
    {},
    `\`files_tool\` was not run: the tool is gone. ${instead}`,
  ],
  [
    'whose agent no worker has',
    failure(missing('UnknownAgent', 'start a worker')),
    {},
    `\`files_tool\` was not run: no worker has the agent of the tool. ${instead}`,
  ],
  ['cancelled before it began', cancelled(), {}, '`files_tool` was cancelled.'],
  ['cancelled after something else', cancelled('queued'), {}, '`files_tool` was cancelled.'],
  ['cancelled in the middle', cancelled('started'), {}, unknown('the run was cancelled during the call')],
  ['abandoned', cancelled(), { cancellation: 'abandon' }, unknown('the run was cancelled during the call')],
  [
    'abandoned before it was scheduled',
    new CancelledFailure('cancelled'),
    { cancellation: 'abandon' },
    '`files_tool` was cancelled.',
  ],
  [
    'cancelled in the middle, as its own failure says',
    new CancelledFailure('cancelled', ['started']),
    {},
    unknown('the run was cancelled during the call'),
  ],
  [
    'that may be repeated, cancelled',
    cancelled('started'),
    { effect: 'idempotent' },
    unknownAgain('the run was cancelled during the call'),
  ],
])('the model is told what it can conclude about a call %s', (_what, error, more, message) => {
  const outcome = outcomeIn(error, toolSpec('files.tool', more));
  expect(outcome).toEqual({ content: [{ type: 'text', text: message }], error: { type: expect.any(String), message } });
});

it.each<[string, unknown, string]>([
  ['whose worker died', timeout('HEARTBEAT'), 'ToolFailed'],
  ['whose arguments no storage gave', failure(application('StorageUnavailable', 'x')), 'ToolFailed'],
  ['cancelled in the middle', cancelled('started'), 'ToolCancelled'],
])('a run that began before decides as it did about an idempotent tool %s', (_what, error, type) => {
  const tool = toolSpec('tool', { effect: 'idempotent' });
  expect(outcomeIn(error, tool, SINCE.knowsLostAttempts - 1).error?.type).toBe(type);
});
