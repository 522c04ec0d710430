import { isNestedDeeper, MAX_DEPTH } from '../../../agent/values/json-depth';

it.each([
  ['[[[1]]]', 2, true],
  ['[[[1]]]', 3, false],
  ['{"a":{"b":[1]}}', 2, true],
  ['{"a":{"b":[1]}}', 3, false],
  ['[[1],[2],{"a":null},[4]]', 2, false],
  ['["[[[[[[[[", "{{{{{"]', 1, false],
  ['{"__proto__":[[1]]}', 2, true],
  ['"text"', 0, false],
  ['null', 0, false],
  ['[]', 0, true],
  ['{}', 1, false],
  ['{"a":[],"b":{"c":{}}}', 2, true],
  ['[{"a":1},[]]', 1, true],
])('tells whether %s is nested deeper than %i', (text, max, expected) => {
  expect(isNestedDeeper(JSON.parse(text), max)).toBe(expected);
});

it.each([4300, 100_000])('survives %i levels, which JSON.stringify may not', (levels) => {
  const deep: unknown = JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  if (levels === 100_000) expect(() => JSON.stringify(deep)).toThrow(RangeError);
  expect([isNestedDeeper(deep), isNestedDeeper(deep, levels - 1), isNestedDeeper(deep, levels)]).toEqual([
    true,
    true,
    false,
  ]);
});

it('allows as many levels as a value from outside may have by default', () => {
  const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
  expect([MAX_DEPTH, MAX_DEPTH + 1].map((levels) => isNestedDeeper(nested(levels)))).toEqual([false, true]);
});

it('looks no deeper than necessary', () => {
  // Each level holds the next one two times: all of it would be 2^60 values.
  let wide: unknown[] = [];
  for (let level = 0; level < 60; level++) wide = [wide, wide];
  expect(isNestedDeeper(wide, 10)).toBe(true);
});
