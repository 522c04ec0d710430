import type { AgentState } from '../../../../../agent/state/state';
import { step } from '../../../../../workflows/state/reduce';
import { checkAttempts } from '../../../../../workflows/state/reducers/progress/output-attempts';
import { batchCall, runState, toolSpec } from '../../../state-data';

const complete = toolSpec('task_completion', { kind: 'loop', loop: { does: 'complete' } });
const look = toolSpec('look');

describe('a batch that settles', () => {
  const failed = (name: string, type: 'InvalidArguments' | 'ToolFailed') =>
    batchCall({ name, outcome: { content: [], error: { type, message: `${name}: ${type}` } } });
  const refused = (name: string, type: 'InvalidArguments' | 'InvalidJson' | 'UnknownTool') =>
    batchCall({ name, problem: { type, message: `${name}: ${type}` } });
  const rejected = (batch: AgentState['batch'], before: Partial<AgentState> = {}, tools = [look, complete]) =>
    step(runState(tools, { batch, ...before }), { type: 'batchSettled' }).state.rejected;

  it.each([
    ['does not fit', refused('task_completion', 'InvalidArguments')],
    ['is not JSON', refused('task_completion', 'InvalidJson')],
    ['is refused by the builder', failed('task_completion', 'InvalidArguments')],
  ])('is an attempt at the output when its result %s', (_, call) => {
    const error = call.status === 'rejected' ? call.problem : call.status === 'settled' && call.outcome.error;
    const problem = error ? error.message : '';
    expect(problem).not.toBe('');
    expect(rejected([call])).toEqual({ attempts: 1, problem });
    expect(rejected([call], { rejected: { attempts: 1, problem: 'before' } })).toEqual({ attempts: 2, problem });
  });

  it.each([
    ['gave a result', batchCall({ name: 'task_completion', outcome: { content: [] } })],
    ['failed otherwise', failed('task_completion', 'ToolFailed')],
    ['could not give a result', refused('task_completion', 'UnknownTool')],
    ['is of another tool', refused('look', 'InvalidArguments')],
    ['has not settled', batchCall({ name: 'task_completion' })],
  ])('is not an attempt when the call %s', (_, call) => {
    expect(rejected([call])).toBeUndefined();
  });

  it('is one attempt, however many results are wrong, with the problem of the first', () => {
    const calls = [
      ...[refused('look', 'InvalidJson'), batchCall({ name: 'task_completion', outcome: { content: [] } })],
      ...[refused('task_completion', 'InvalidJson'), refused('task_completion', 'InvalidArguments')],
    ];
    expect(rejected(calls)).toEqual({ attempts: 1, problem: 'task_completion: InvalidJson' });
  });

  it('is not an attempt when the agent has no such tool or is not known', () => {
    const call = refused('task_completion', 'InvalidArguments');
    expect(rejected([call], {}, [look])).toBeUndefined();
    const { manifest: _, ...state } = runState([], { batch: [call] });
    expect(step(state, { type: 'batchSettled' }).state.rejected).toBeUndefined();
  });
});

describe('checkAttempts', () => {
  const rejectedTimes = (attempts: number, more: Partial<AgentState> = {}): AgentState =>
    runState([], { rejected: { attempts, problem: 'it is not JSON' }, ...more });

  it('ends a run that has used its attempts, three by default', () => {
    expect(() => checkAttempts(rejectedTimes(2))).not.toThrow();
    const message =
      'The model gave no valid output in 3 attempts (it is not JSON). Simplify the output schema, raise ' +
      '`limits.maxOutputAttempts`, or choose another model.';
    const data = { attempts: 3, problem: 'it is not JSON' };
    expect(() => checkAttempts(rejectedTimes(3))).toThrow(
      expect.objectContaining({ type: 'OutputInvalid', data, message }),
    );
    expect(() => checkAttempts(rejectedTimes(4))).toThrow(expect.objectContaining({ type: 'OutputInvalid' }));
  });

  it('leaves a concluding call to the quota gate, and goes on when nothing was wrong', () => {
    expect(() => checkAttempts(rejectedTimes(3, { concluding: 'interactions' }))).not.toThrow();
    expect(() => checkAttempts(runState())).not.toThrow();
    const { manifest: _, ...unknown } = rejectedTimes(3);
    expect(() => checkAttempts(unknown)).not.toThrow();
  });
});
