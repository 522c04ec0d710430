import fc from 'fast-check';
import type { Manifest } from '../../../agent/protocol/manifest';
import { nextMove } from '../../../agent/strategy/next-move';
import { readySteps } from '../../../agent/strategy/ready-steps';
import type { PlanState, PlanStep, StepState } from '../../../agent/strategy/step-plan';

const manifest = { strategy: { type: 'plan', stepTools: 15 } } as Manifest;
const one = (step: number, after: number[], critical = true): PlanStep => ({
  step,
  description: `d${step}`,
  after,
  critical,
});
const waiting = (step: PlanStep): StepState => ({ ...step, status: 'waiting', tries: 0 });
const done = (step: PlanStep): StepState => ({ ...step, status: 'done', toolUseId: `t${step.step}.1` });
const failed = (step: PlanStep): StepState => ({ ...step, status: 'failed', problem: 'broken' });
const picked = (step: PlanStep): StepState => ({
  ...step,
  status: 'picked',
  turn: 2,
  request: { name: 'read', input: {}, hash: 'h' },
});
const begin = { called: false };

function stateOf(steps: StepState[], more: Partial<PlanState> = {}, quota = { current: 0, max: 25 }) {
  return {
    manifest,
    exchange: 1,
    steers: [],
    toolInteractions: quota,
    plan: { exchange: 1, stage: 'running' as const, steps, ...more },
  };
}

test('a step is ready when all steps that it waits for have ended, with or without success', () => {
  const steps = [done(one(1, [])), failed(one(2, [], false)), waiting(one(3, [1, 2])), waiting(one(4, [3]))];
  expect(readySteps(steps).map(({ step }) => step)).toEqual([3]);
});

test('tools are picked for all ready steps before they are called together', () => {
  const [a, b, c] = [one(1, []), one(2, []), one(3, [1, 2])];
  expect(nextMove(stateOf([waiting(a), waiting(b), waiting(c)]), begin)).toMatchObject({ type: 'pick', step: a });
  expect(nextMove(stateOf([picked(a), waiting(b), waiting(c)]), begin)).toMatchObject({ type: 'pick', step: b });
  expect(nextMove(stateOf([picked(a), picked(b), waiting(c)]), begin)).toMatchObject({ type: 'call', steps: [a, b] });
  expect(nextMove(stateOf([done(a), done(b), done(c)]), begin)).toEqual({ type: 'synthesise' });
});

test('no more steps are called together than the quota leaves', () => {
  const steps = [picked(one(1, [])), waiting(one(2, []))];
  expect(nextMove(stateOf(steps, {}, { current: 24, max: 25 }), begin)).toMatchObject({ type: 'call' });
});

test('a plan is given up for a failed critical step, without a single call, for a message, at a limit', () => {
  const fail = [done(one(1, [])), failed(one(2, []))];
  expect(nextMove(stateOf(fail), begin)).toEqual({ type: 'fallBack', why: 'step', problem: 'step 2: broken' });
  const none = [failed(one(1, [], false))];
  expect(nextMove(stateOf(none), begin)).toMatchObject({ type: 'fallBack', why: 'uncalled' });
  const said = { ...stateOf([waiting(one(1, []))]), steers: [{ parts: [], exchange: 1 }] };
  expect(nextMove(said as never, begin)).toEqual({ type: 'fallBack', why: 'steered' });
  const open = stateOf([waiting(one(1, []))]);
  expect(nextMove(open, { ...begin, conclude: 'interactions' })).toEqual({ type: 'fallBack', why: 'limit' });
  const ended = stateOf([done(one(1, []))]);
  expect(nextMove(ended, { ...begin, conclude: 'interactions' })).toEqual({ type: 'synthesise' });
  expect(nextMove(ended, { ...begin, conclude: 'budget' })).toEqual({ type: 'fallBack', why: 'limit' });
});

test('one plan is made for each exchange, before its first call', () => {
  const none = { ...stateOf([]), plan: { exchange: 1, stage: 'over' as const, steps: [] } };
  expect(nextMove({ ...none, exchange: 2 }, begin)).toEqual({ type: 'plan' });
  expect(nextMove(none, begin)).toBeUndefined();
  expect(nextMove({ ...none, exchange: 2 }, { called: true })).toBeUndefined();
  expect(nextMove({ ...none, exchange: 2 }, { called: false, conclude: 'budget' })).toBeUndefined();
  expect(nextMove({ ...none, exchange: 2, manifest: {} as Manifest }, begin)).toBeUndefined();
});

test('every plan comes to its end, whatever its steps do', () => {
  const step = fc.record({ critical: fc.boolean(), good: fc.boolean(), picks: fc.boolean(), after: fc.nat(9) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 10 }), (given) => {
      let steps = given.map(({ critical, after }, i) => waiting(one(i + 1, i > 0 ? [1 + (after % i)] : [], critical)));
      for (let moves = 0; moves <= 20; moves++) {
        const move = nextMove(stateOf(steps), begin);
        if (move?.type === 'synthesise' || move?.type === 'fallBack') return;
        const change = (number: number, to: (step: StepState) => StepState) => {
          steps = steps.map((other) => (other.step === number ? to(other) : other));
        };
        if (move?.type === 'pick') change(move.step.step, given[move.step.step - 1]?.picks ? picked : failed);
        if (move?.type === 'call')
          for (const { step } of move.steps) change(step, given[step - 1]?.good ? done : failed);
      }
      throw new Error('it did not end');
    }),
  );
});
