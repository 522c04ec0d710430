import { registerAttributesCommand, SEARCH_ATTRIBUTES } from '../../../agent/protocol/search-attributes';

test('one command registers all attributes that runs write, in the given namespace', () => {
  const words = registerAttributesCommand('team-a').split(' ');
  const pairs = Array.from({ length: (words.length - 4) / 2 }, (_, i) => words.slice(4 + 2 * i, 6 + 2 * i));
  expect(words.slice(0, 4)).toEqual(['temporal', 'operator', 'search-attribute', 'create']);
  expect(pairs[0]).toEqual(['--namespace', 'team-a']);
  const registered = pairs.filter(([option]) => option === '--name').map(([, name]) => name);
  expect(registered).toEqual(SEARCH_ATTRIBUTES);
  // The type follows each name.
  expect(pairs.slice(1)).toEqual(
    registered.flatMap((name) => [
      ['--name', name],
      ['--type', 'Keyword'],
    ]),
  );
});

test('all attributes have our prefix, and none occurs twice', () => {
  for (const name of SEARCH_ATTRIBUTES) expect(name).toMatch(/^Holdfast[A-Z][a-z]+$/);
  expect(new Set(SEARCH_ATTRIBUTES).size).toBe(SEARCH_ATTRIBUTES.length);
});
