import type { ActivateInput } from '@temporalio/workflow';
import { interceptors } from '../../../workflows/run/look-ahead';

type Activation = ActivateInput['activation'];

/** One run in the memory of a worker: says of each activation whether the workflow was shown it. */
function opened(): (activation: object) => boolean {
  const [internals] = interceptors().internals ?? [];
  return (activation) => {
    let shown = false;
    const next = () => {
      shown = true;
    };
    try {
      internals?.activate?.({ activation: activation as Activation, batchIndex: 0 }, next);
    } catch (error) {
      expect(String(error)).toContain('ask again');
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
const replayed = (at: number, historyLength: number) => ({ ...task(at, historyLength), isReplaying: true });
/** A query that a task of its own has brought, or a workflow task. */
const query = (at: number, historyLength: number, queryId = 'legacy_query') => ({
  ...replayed(at, historyLength),
  jobs: [{ queryWorkflow: { queryId } }],
});

test('a query on a run that was replayed to its last task is answered', () => {
  const show = opened();
  expect([replayed(1, 3), replayed(2, 9), query(2, 9), query(2, 9)].map(show)).toEqual([true, true, true, true]);
});

test('queries on a run that this worker has begun, or goes on with, are answered', () => {
  const show = opened();
  expect([task(1, 3), query(1, 3), task(2, 9), query(2, 9)].every(show)).toBe(true);
  const taken = opened();
  expect([replayed(1, 3), task(2, 9), task(3, 15), query(3, 15)].every(taken)).toBe(true);
});

test('a query that brings what came after the last task is refused', () => {
  const show = opened();
  expect([task(1, 3), query(1, 3)].every(show)).toBe(true);
  expect(show(task(1, 5))).toBe(false);
});

test('a query that brings a task which has begun elsewhere is refused, and so is one after a run was taken over', () => {
  const show = opened();
  expect([replayed(1, 3), task(2, 9)].every(show)).toBe(true);
  expect(show(query(2, 9))).toBe(false);
});

test('the first task after a replay is one task, in however many activations it comes', () => {
  const show = opened();
  expect([replayed(1, 3), task(2, 9), task(2, 9)].every(show)).toBe(true);
  expect(show(query(2, 9))).toBe(false);
});

test('queries that a workflow task brings are answered', () => {
  const show = opened();
  expect([replayed(1, 3), task(2, 9), query(2, 9, 'q1'), query(2, 9, 'q2')].every(show)).toBe(true);
});
