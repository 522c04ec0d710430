import { newState, withInput } from '../../../workflows/state/first-state';
import { shaped } from '../../../workflows/state/shaped';

const begun = newState({ id: 'r', agent: 'a', chainId: 'c' });

it('states have the same fields in the same order, however they were made', () => {
  const other = { title: 'Cats', ...withInput({ input: 'hi', owner: 'ann' }), ...begun };
  expect(Object.keys(shaped(other, 0))).toEqual(Object.keys(shaped(begun, 0)));
});

it('nothing changes but the number of facts', () => {
  const state = { ...begun, title: 'Cats', ...withInput({ input: { a: 1 }, metadata: { b: 2 } }) };
  expect(shaped(state, 7)).toEqual({ ...state, facts: 7 });
});
