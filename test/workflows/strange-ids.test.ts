import { newState } from '../../workflows/state/first-state';
import { step } from '../../workflows/state/reduce';
import { acting, modelAnswer } from './state-data';

const message = (id: string) => ({ id, parts: [{ type: 'text' as const, text: id }], exchange: 1, at: 0 });

test('the oldest messages are forgotten first, even when their ids are whole numbers', () => {
  let state = newState({ id: 'r', agent: 'a.a', chainId: 'f' });
  const ids = ['first', ...Array.from({ length: 1000 }, (_, i) => String(5000 - i)), '__proto__', 'last'];
  for (const id of ids) {
    const next = step(state, { type: 'received', message: message(id), ahead: 0 });
    state = { ...next.state, facts: state.facts + next.facts.length };
  }
  expect(Object.keys(state.taken)).toHaveLength(1000);
  expect(ids.filter((id) => !Object.hasOwn(state.taken, id))).toEqual(['first', '5000', '4999']);
  expect(Object.getPrototypeOf(state.taken)).toBe(Object.prototype);
});

test('calls are counted under any name that a model gives', () => {
  const state = newState({ id: 'r', agent: 'a.a', chainId: 'f' });
  const requests = ['constructor', '__proto__', '__proto__'].map((name) => ({ name, input: {} }));
  const next = step(state, acting(modelAnswer({ requests }), []));
  const { toolTypeCounts } = next.state;
  expect(Object.entries(toolTypeCounts).sort()).toEqual([
    ['__proto__', 2],
    ['constructor', 1],
  ]);
});
