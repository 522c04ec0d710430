import type { CallProblem } from '../../../../agent/model/answer';
import type { AgentState } from '../../../../agent/state/state';
import { step } from '../../../../workflows/state/reduce';
import {
  callOf,
  errorOf,
  hashOf,
  idempotencyKey,
  inputOf,
  isHeldBack,
  isOpen,
  openCalls,
  toolOf,
} from '../../../../workflows/state/selectors/calls';
import { batchCall, runState, toolSpec } from '../../state-data';
import { fold } from '../fold';

const problem: CallProblem = { type: 'UnknownTool', message: 'no' };
const error = { type: 'ToolFailed' as const, message: 'broke' };
const open = batchCall({ toolUseId: 't1.1', name: 'pay', input: { to: 'ann' }, hash: 'a'.repeat(64) });
const rejected = batchCall({ toolUseId: 't1.2', problem });
const settled = batchCall({ toolUseId: 't1.3', outcome: { content: [] } });
const failed = batchCall({ toolUseId: 't1.4', outcome: { content: [], error } });
const batch = [open, rejected, settled, failed];

describe('a call', () => {
  it('is open until it has settled, and never when it was rejected', () => {
    expect(batch.map(isOpen)).toEqual([true, false, false, false]);
    expect(openCalls(batch)).toEqual([open]);
  });

  it('is no longer open when its service has answered, though it has not settled', () => {
    const service = { ref: 'r', kind: 'signal' as const, since: 1 };
    const called = step(runState([], { batch }), { type: 'serviceCalled', toolUseId: 't1.1', service }).state;
    expect(openCalls(called.batch)).toHaveLength(1);
    const answered = step(called, { type: 'serviceAnswered', toolUseId: 't1.1', answer: { data: 1 }, at: 2 }).state;
    expect(openCalls(answered.batch)).toEqual([]);
    expect(callOf(answered, 't1.1')?.status).toBe('open');
  });

  it('has an error when it was rejected or failed', () => {
    expect(batch.map(errorOf)).toEqual([undefined, problem, undefined, error]);
  });

  it('is found by its id', () => {
    expect(callOf({ batch }, 't1.2')).toBe(rejected);
    expect(callOf({ batch }, 't9.9')).toBeUndefined();
  });

  it('is identified with the arguments that it runs with: those of the model, or those of a person', () => {
    const named = (run: typeof state) => {
      const call = callOf(run, 't1.1') ?? rejected;
      return [inputOf(call), hashOf(call), idempotencyKey(run, call)];
    };
    const state = runState([], { batch });
    expect(named(state)).toEqual([{ to: 'ann' }, 'a'.repeat(64), `first/${'a'.repeat(32)}/t1.1`]);
    const edit = { input: { to: 'eve' }, hash: 'b'.repeat(64), key: '' };
    const asked = [{ toolUseId: 't1.1', hash: 'h', key: '', requestedAt: 1 }];
    const edited = fold(
      state,
      { type: 'approvalsAsked', asked },
      { type: 'decided', toolUseId: 't1.1', decided: { decision: 'edit', by: 'ann', at: 2, edit } },
    ).state;
    expect(named(edited)).toEqual([{ to: 'eve' }, 'b'.repeat(64), `first/${'b'.repeat(32)}/t1.1`]);
  });

  it('is held back by open calls of its lane that come before it', () => {
    const lane = (n: number, name: string, more: object = {}) =>
      batchCall({ toolUseId: `t1.${n}`, lane: name, ...more });
    const held = [lane(1, 'a', { outcome: { content: [] } }), lane(2, 'a'), lane(3, 'b'), lane(4, 'a'), open];
    expect(held.map((call) => isHeldBack(held, call))).toEqual([false, false, false, true, false]);
    expect(isHeldBack([lane(1, 'b')], lane(2, 'a'))).toBe(false);
  });
});

test('a tool is found by its canonical name', () => {
  const tools = [toolSpec('files.read'), toolSpec('pay')];
  expect(toolOf(runState(tools), 'pay')).toEqual(tools[1]);
  expect(toolOf(runState(tools), 'files_read')).toBeUndefined();
  const { manifest: _, ...begun } = runState();
  const state: AgentState = begun;
  expect(toolOf(state, 'pay')).toBeUndefined();
});
