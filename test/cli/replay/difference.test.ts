import { differenceOf } from '../../../cli/replay/difference';

const failed = (message: string) =>
  new Error(
    `Replay failed. Details: Workflow activation completion failed: Failure { message: "[TMPRL1100] Nondeterminism error: ${message}", source: "" }`,
  );

it.each([
  [
    'Timer machine does not handle this event: HistoryEvent(id: 31, ActivityTaskScheduled)',
    { event: 31, reason: 'the history has ActivityTaskScheduled there, and the code starts a timer' },
  ],
  [
    'Fail workflow machine does not handle this event: HistoryEvent(id: 5, ActivityTaskScheduled)',
    { event: 5, reason: 'the history has ActivityTaskScheduled there, and the code fails the run' },
  ],
  [
    'No command scheduled for event HistoryEvent(id: 9, TimerStarted)',
    { event: 9, reason: 'the history has TimerStarted there, and the code does nothing' },
  ],
  [
    `Activity id of scheduled event 't9.9' does not match activity id of activity command 't1.2'`,
    {
      reason: 'the history schedules an activity with the id `t9.9` there, and the code schedules `t1.2`',
      scheduled: { field: 'id', value: 't9.9' },
    },
  ],
  ['Something \\"new\\"', { reason: 'Temporal says: Something "new"' }],
])('says what %s means', (message, difference) => {
  expect(differenceOf(failed(message))).toEqual(difference);
});

it('quotes an error that it does not know', () => {
  expect(differenceOf(new Error('the worker is gone\nat line 1'))).toEqual({
    reason: 'Temporal says: the worker is gone',
  });
});
