import { comparable, findPhrase, type Unless } from '../../../agent/analysis/phrases';
import { ENGLISH_TABLES } from '../../../agent/analysis/tables';
import { type Case, CLAIMS, COMPLETE, DEFLECTING, INCOMPLETE, PRESENTING } from './cases';

/** Each table with its cases, and what takes the meaning from its phrases. */
const TABLES: readonly [string, readonly string[], readonly Case[], Unless?][] = [
  ['incomplete', ENGLISH_TABLES.incomplete, INCOMPLETE],
  ['complete', ENGLISH_TABLES.complete, COMPLETE, ENGLISH_TABLES],
  ['presenting', ENGLISH_TABLES.presenting, PRESENTING],
  ['refuses', ENGLISH_TABLES.deflecting.refuses, DEFLECTING.refuses],
  ['asks', ENGLISH_TABLES.deflecting.asks, DEFLECTING.asks],
  ['handsBack', ENGLISH_TABLES.deflecting.handsBack, DEFLECTING.handsBack],
  ['narrates', ENGLISH_TABLES.deflecting.narrates, DEFLECTING.narrates],
  ['claims', ENGLISH_TABLES.claims, CLAIMS, ENGLISH_TABLES],
];

test.each(TABLES)('every phrase of %s has a case, and no phrase is there twice', (_name, phrases, cases) => {
  expect(cases.map(([phrase]) => phrase)).toEqual(phrases);
  expect(new Set(phrases).size).toBe(phrases.length);
});

test('there are 16 signs, and 21 deflections in four families', () => {
  expect(ENGLISH_TABLES.incomplete).toHaveLength(16);
  expect(Object.values(ENGLISH_TABLES.deflecting).map(({ length }) => length)).toEqual([6, 5, 5, 5]);
});

describe.each(TABLES)('%s', (_name, _phrases, cases, unless) => {
  test.each(cases)('%p is found in %p, not in %p', (phrase, found, notFound) => {
    expect(findPhrase(comparable(found), [phrase], unless)).toBe(phrase);
    expect(findPhrase(comparable(notFound), [phrase], unless)).toBeUndefined();
  });
});
