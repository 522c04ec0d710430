import { defaultPayloadConverter, toPayloads } from '@temporalio/common';
import type { ActivateInput } from '@temporalio/workflow';
import { interceptors } from '../../../workflows/run/look-ahead';

type Activation = ActivateInput['activation'];

/** One run in the memory of a worker. The function says whether the workflow was shown an activation. */
function opened(worker = { now: () => 0, taskTimeout: () => 10_000 }): (activation: object) => boolean {
  const [internals] = interceptors(worker).internals ?? [];
  return (activation) => {
    let shown = false;
    const next = () => {
      shown = true;
    };
    try {
      internals?.activate?.({ activation: activation as Activation, batchIndex: 0 }, next);
    } catch (error) {
      expect(String(error)).toBe('Error: The run has events that it has not processed yet: query again');
      expect(shown).toBe(false);
      return false;
    }
    return shown;
  };
}

const task = (at: number, historyLength: number) => ({
  isReplaying: false,
  timestamp: { seconds: at, nanos: 0 },
  historyLength,
  jobs: [{ resolveActivity: {} }],
});
/** A query that says that the tasks of the first events are complete. */
const sure = (at: number, historyLength: number, part: unknown) => ({
  ...replayed(at, historyLength),
  runId: 'r',
  jobs: [{ queryWorkflow: { queryId: 'legacy_query', arguments: toPayloads(defaultPayloadConverter, null, part) } }],
});
const replayed = (at: number, historyLength: number) => ({ ...task(at, historyLength), isReplaying: true });
/** A query that came with its own task or with a workflow task. */
const query = (at: number, historyLength: number, queryId = 'legacy_query') => ({
  ...replayed(at, historyLength),
  jobs: [{ queryWorkflow: { queryId } }],
});

test('a query on a run that was replayed to its last task is answered', () => {
  const show = opened();
  expect([replayed(1, 3), replayed(2, 9), query(2, 9), query(2, 9)].map(show)).toEqual([true, true, true, true]);
});

test('queries on a run that this worker has started, or continues, are answered', () => {
  const show = opened();
  expect([task(1, 3), query(1, 3), task(2, 9), query(2, 9)].every(show)).toBe(true);
  const taken = opened();
  expect([replayed(1, 3), task(2, 9), task(3, 15), query(3, 15)].every(taken)).toBe(true);
});

test('a query that brings events after the last task is refused', () => {
  const show = opened();
  expect([task(1, 3), query(1, 3)].every(show)).toBe(true);
  expect(show(task(1, 5))).toBe(false);
});

test('a query that brings a task begun elsewhere is refused, and so is one after a run was taken over', () => {
  const show = opened();
  expect([replayed(1, 3), task(2, 9)].every(show)).toBe(true);
  expect(show(query(2, 9))).toBe(false);
});

test('the first task after a replay counts once, however many activations it has', () => {
  const show = opened();
  expect([replayed(1, 3), task(2, 9), task(2, 9)].every(show)).toBe(true);
  expect(show(query(2, 9))).toBe(false);
});

test('queries in a workflow task are answered', () => {
  const show = opened();
  expect([replayed(1, 3), task(2, 9), query(2, 9, 'q1'), query(2, 9, 'q2')].every(show)).toBe(true);
});

test('a task without new events is shown, and so is one with another time', () => {
  const show = opened();
  const later = { ...task(1, 5), timestamp: { seconds: 1, nanos: 7 } };
  expect([task(1, 3), task(1, 3), later, task(2, 9)].every(show)).toBe(true);
  // The same nanoseconds of another second are another time.
  expect(show({ ...task(3, 12), timestamp: { seconds: 3, nanos: 0 } })).toBe(true);
});

test('replayed history is passed on, however much comes at once', () => {
  const show = opened();
  expect([replayed(1, 3), replayed(1, 9), replayed(2, 12)].every(show)).toBe(true);
});

test('tasks without a time count as tasks of the same time', () => {
  const show = opened();
  const untimed = (historyLength: number) => ({ ...task(1, historyLength), timestamp: null });
  expect([untimed(3), untimed(3)].every(show)).toBe(true);
  expect(show(untimed(5))).toBe(false);
  const timed = opened();
  expect([untimed(3), task(1, 5), untimed(7)].every(timed)).toBe(true);
});

test('a task without jobs is a task', () => {
  const show = opened();
  expect([replayed(1, 3), { ...task(2, 9), jobs: undefined }].every(show)).toBe(true);
  expect(show(query(2, 9))).toBe(false);
});

test('a query that a workflow task brings is neither a task nor a replay', () => {
  const show = opened();
  expect([replayed(1, 3), task(2, 9), query(2, 9, 'q1')].every(show)).toBe(true);
  expect(show(query(2, 9))).toBe(false);
});

test('a task that brings a query among other jobs is a task', () => {
  const show = opened();
  const asked = { ...task(3, 15), jobs: [{ queryWorkflow: { queryId: 'q1' } }, { resolveActivity: {} }] };
  expect([replayed(1, 3), task(2, 9), asked, query(3, 15)].every(show)).toBe(true);
});

test('a query among other jobs is refused when it would be refused alone', () => {
  const show = opened();
  expect([replayed(1, 3), task(2, 9)].every(show)).toBe(true);
  const jobs = [{ resolveActivity: {} }, { queryWorkflow: { queryId: 'legacy_query' } }];
  expect(show({ ...replayed(2, 9), jobs })).toBe(false);
});

test('the first task after a replay is a task, even at the time of the last replayed one', () => {
  const show = opened();
  expect([replayed(1, 3), task(1, 3)].every(show)).toBe(true);
  expect(show(query(1, 3))).toBe(false);
});

test('a query that says that the last task is complete is answered', () => {
  const show = opened();
  expect([replayed(1, 3), task(2, 9)].every(show)).toBe(true);
  expect(show(sure(2, 9, { runId: 'r', events: 9 }))).toBe(true);
  expect(show(query(2, 9))).toBe(false);
});

test.each([
  ['earlier events', { runId: 'r', events: 8 }],
  ['another history', { runId: 'of before', events: 9 }],
  ['nothing', null],
  ['something else', 'all'],
  ['a number as a text', { runId: 'r', events: '9' }],
])('a query that says it of %s is refused', (_, part) => {
  const show = opened();
  expect([replayed(1, 3), task(2, 9)].every(show)).toBe(true);
  expect(show(sure(2, 9, part))).toBe(false);
});

test('a second argument that cannot be read says nothing', () => {
  const show = opened();
  expect([replayed(1, 3), task(2, 9)].every(show)).toBe(true);
  const unreadable = { metadata: { encoding: Buffer.from('binary/encrypted') }, data: Buffer.from('?') };
  const jobs = [{ queryWorkflow: { queryId: 'legacy_query', arguments: [{}, unreadable] } }];
  expect(show({ ...replayed(2, 9), jobs })).toBe(false);
});

describe('a query that brings a task of which the workflow is shown nothing', () => {
  /** The task began at second 20. */
  const at = (seconds: number) => ({ now: () => seconds * 1000, taskTimeout: () => 10_000 });

  test.each([20, 25, 29.9, 19])('is refused while the task may be in progress, at second %d', (now) => {
    const show = opened(at(now));
    expect([replayed(1, 3), replayed(2, 9)].every(show)).toBe(true);
    expect(show(query(20, 13))).toBe(false);
  });

  test.each([30, 1000, 9])('is answered after that, and where the clocks differ more: at second %d', (now) => {
    const show = opened(at(now));
    expect([replayed(1, 3), replayed(2, 9)].every(show)).toBe(true);
    expect(show(query(20, 13))).toBe(true);
  });

  test('is answered if it says that the task is complete', () => {
    const show = opened(at(20));
    expect([replayed(1, 3), replayed(2, 9)].every(show)).toBe(true);
    expect(show(sure(20, 13, { runId: 'r', events: 14 }))).toBe(true);
  });
});
