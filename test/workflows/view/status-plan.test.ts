import type { PlanStep, StepState } from '../../../agent/strategy/step-plan';
import { planLines } from '../../../workflows/view/status-plan';

const one = (step: number, description: string): PlanStep => ({ step, description, after: [], critical: true });
const steps: StepState[] = [
  { ...one(1, 'Read `a`'), status: 'done', toolUseId: 't2.1' },
  { ...one(2, 'Break'), status: 'failed', problem: 'out of order', toolUseId: 't3.1' },
  { ...one(3, 'Pay'), status: 'called', toolUseId: 't4.1' },
  { ...one(4, 'Choose'), status: 'picked', turn: 5, request: { name: 'pay', input: {}, hash: 'h' } },
  { ...one(5, 'Wait'), status: 'waiting', tries: 0 },
];

it('shows each step of the plan, and where it is', () => {
  expect(planLines({ exchange: 2, plan: { exchange: 2, stage: 'running', steps } })).toEqual([
    '',
    'Plan:',
    '',
    "- 1 `Read 'a'`: done, t2.1",
    '- 2 `Break`: failed, `out of order`',
    '- 3 `Pay`: runs as t4.1',
    '- 4 `Choose`: has picked `pay`',
    '- 5 `Wait`: waits',
  ]);
});

it('shows no plan of an earlier exchange', () => {
  expect(planLines({ exchange: 3, plan: { exchange: 2, stage: 'running', steps } })).toEqual([]);
  expect(planLines({ exchange: 3 })).toEqual([]);
});
