import { planCalls } from '../../../agent/plan/plan-calls';
import { plan } from '../../../workflows/turn/plan';
import { modelAnswer, runState, toolSpec } from '../state-data';

const state = runState([toolSpec('look')], { turn: 2 });
const answer = modelAnswer({ text: 'first', requests: [{ name: 'look', input: {} }] });

test('the calls of an answer are planned, and run', () => {
  expect(plan(state, answer)).toEqual({ to: 'act', answer, plan: planCalls(answer.toolRequests, state) });
});

test('an answer without calls is the output, and so is any answer of a concluding turn', () => {
  const said = modelAnswer({ text: 'done' });
  expect(plan(state, said)).toEqual({ to: 'finish', answer: said });
  expect(plan({ ...state, concluding: 'interactions' }, answer)).toEqual({ to: 'finish', answer });
  expect(plan({ ...state, concluding: 'interactions' }, said)).toEqual({ to: 'finish', answer: said });
});
