import { facesAll, inputsOf, NAMES } from './inputs/faces-all';

describe('a worker', () => facesAll(1));

test('each surface has at least eight inputs, and there are sixty different names', () => {
  for (const surface of NAMES) {
    const names = inputsOf(surface).map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(8);
    expect(new Set(names).size).toBe(names.length);
  }
});
