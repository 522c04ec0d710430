import type { AgentState } from '../../../../agent/state/state';
import { step } from '../../../../workflows/state/reduce';
import { checkAttempts } from '../../../../workflows/state/reducers/output-attempts';
import { batchCall, runState, toolSpec } from '../../state-data';

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
    ['is no JSON', refused('task_completion', 'InvalidJson')],
    ['is refused when it is built', failed('task_completion', 'InvalidArguments')],
  ])('is an attempt at the output where the result that it gives %s', (_, call) => {
    const error = call.status === 'rejected' ? call.problem : call.status === 'settled' && call.outcome.error;
    const problem = error ? error.message : '';
    expect(problem).not.toBe('');
    expect(rejected([call])).toEqual({ attempts: 1, problem });
    expect(rejected([call], { rejected: { attempts: 1, problem: 'before' } })).toEqual({ attempts: 2, problem });
  });

  it.each([
    ['gave a result', batchCall({ name: 'task_completion', outcome: { content: [] } })],
    ['failed otherwise', failed('task_completion', 'ToolFailed')],
    ['could not give one', refused('task_completion', 'UnknownTool')],
    ['is of another tool', refused('look', 'InvalidArguments')],
    ['has not settled', batchCall({ name: 'task_completion' })],
  ])('is none where the call %s', (_, call) => {
    expect(rejected([call])).toBeUndefined();
  });

  it('is one attempt, however many results are wrong, and told by the first', () => {
    const calls = [
      ...[refused('look', 'InvalidJson'), batchCall({ name: 'task_completion', outcome: { content: [] } })],
      ...[refused('task_completion', 'InvalidJson'), refused('task_completion', 'InvalidArguments')],
    ];
    expect(rejected(calls)).toEqual({ attempts: 1, problem: 'task_completion: InvalidJson' });
  });

  it('of an agent without such a tool, or without any, is none', () => {
    const call = refused('task_completion', 'InvalidArguments');
    expect(rejected([call], {}, [look])).toBeUndefined();
    const { manifest: _, ...state } = runState([], { batch: [call] });
    expect(step(state, { type: 'batchSettled' }).state.rejected).toBeUndefined();
  });
});

describe('checkAttempts', () => {
  const rejectedTimes = (attempts: number, more: Partial<AgentState> = {}): AgentState =>
    runState([], { rejected: { attempts, problem: 'it is no JSON' }, ...more });

  it('ends what has had its attempts, by default three', () => {
    expect(() => checkAttempts(rejectedTimes(2))).not.toThrow();
    const message =
      'The model gave no valid output in 3 attempts (it is no JSON). Simplify the output schema, raise ' +
      '`limits.maxOutputAttempts`, or choose another model.';
    const data = { attempts: 3, problem: 'it is no JSON' };
    expect(() => checkAttempts(rejectedTimes(3))).toThrow(
      expect.objectContaining({ type: 'OutputInvalid', data, message }),
    );
    expect(() => checkAttempts(rejectedTimes(4))).toThrow(expect.objectContaining({ type: 'OutputInvalid' }));
  });

  it('lets the concluding call end for what it lacks, and goes on where nothing was wrong', () => {
    expect(() => checkAttempts(rejectedTimes(3, { concluding: true }))).not.toThrow();
    expect(() => checkAttempts(runState())).not.toThrow();
    const { manifest: _, ...unknown } = rejectedTimes(3);
    expect(() => checkAttempts(unknown)).not.toThrow();
  });
});
