import type { PlanStep } from '../../../../agent/strategy/step-plan';
import { told } from '../told-fact';

const steps: PlanStep[] = [
  { step: 1, description: 'Read', after: [], critical: true },
  { step: 2, description: 'Pay', after: [1], critical: true },
];

test('a plan is told with its steps, and what became of it', () => {
  expect(told({ type: 'plan.made', turn: 1, steps })).toBe('2 steps: 1. Read | 2. Pay');
  expect(told({ type: 'plan.decided', turn: 1, approved: true, steps })).toBe('approved: 1. Read | 2. Pay');
  expect(told({ type: 'plan.decided', turn: 1, approved: false, steps: [] })).toBe('not approved, nothing runs');
  expect(told({ type: 'plan.done', turn: 4, done: 1, failed: 1 })).toBe('1 step done, 1 failed');
  expect(told({ type: 'plan.direct', turn: 1 })).toBe('no tool is needed');
});

test('a step is told with its call', () => {
  const about = { type: 'plan.step', turn: 2, step: 1, description: 'Read' } as const;
  const call = { toolUseId: 't2.1', name: 'read' };
  expect(told({ ...about, ...call, status: 'called' })).toBe('step 1 runs (t2.1 read): Read');
  expect(told({ ...about, ...call, status: 'failed', problem: 'broken' })).toBe('step 1 failed (t2.1 read): broken');
  expect(told({ ...about, status: 'failed', problem: 'It called no tool.' })).toBe('step 1 failed: It called no tool.');
});

test('a plan that is given up says why', () => {
  expect(told({ type: 'plan.fallback', turn: 1, why: 'unreadable', problem: 'the plan has no steps' })).toBe(
    'the single loop goes on, since the plan is unreadable: the plan has no steps',
  );
  expect(told({ type: 'plan.fallback', turn: 3, why: 'steered' })).toBe(
    'the single loop goes on, with a message that came meanwhile',
  );
});

test('calls of other purposes say what they are for', () => {
  expect(told({ type: 'loop.iteration', turn: 1, lifecycle: 'init', for: 'planner' })).toBe('turn 1, planner');
});
