import { isMeant } from '../../../activities/mcp/chosen-tools';

it.each<[string, string, boolean]>([
  ['get', 'get', true],
  ['get', 'get_all', false],
  ['get', 'Get', false],
  ['get_*', 'get_', true],
  ['get_*', 'get_all', true],
  ['get_*', 'forget_all', false],
  ['*_all', 'get_all', true],
  ['*_all', 'get_all_2', false],
  ['*', '', true],
  ['*', 'get\nall', true],
  ['a*b*c', 'abc', true],
  ['a*b*c', 'a1b2c', true],
  ['a*b*c', 'acb', false],
  ['aba*aba', 'aba', false],
  ['a*b*b', 'ab', false],
  ['a**c', 'abc', true],
  ['get.*', 'getxall', false],
])('%j and the tool %j', (entry, tool, expected) => {
  expect(isMeant(entry, tool)).toBe(expected);
});

it('takes linear time for the names that a server gives', () => {
  const began = performance.now();
  expect(isMeant(`${'*a'.repeat(20)}b`, 'a'.repeat(1_000_000))).toBe(false);
  expect(performance.now() - began).toBeLessThan(1000);
});
