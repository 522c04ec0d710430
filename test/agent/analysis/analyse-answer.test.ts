import fc from 'fast-check';
import {
  analyseAnswer,
  claimOf,
  type Finding,
  MAX_DEFLECTIONS,
  MAX_INCOMPLETE,
  type WorkSoFar,
} from '../../../agent/analysis/analyse-answer';
import { analysisSpec } from '../../../agent/analysis/analysis-spec';
import { ENGLISH_TABLES } from '../../../agent/analysis/tables';
import { cpuTime } from '../../measure/cpu-time';

const SO: WorkSoFar = { calls: 1, incomplete: 0, deflecting: 0 };
const why = (answer: string, so: Partial<WorkSoFar> = {}, tables = ENGLISH_TABLES) =>
  analyseAnswer(answer, tables, { ...SO, ...so })?.why;

/** Whole answers of small models, and what they are. */
const ANSWERS: readonly [string, Finding['why'] | undefined][] = [
  ["I've renamed 3 files. There are 4 remaining...", 'incomplete'],
  ['Done with the first. **Next step**: read the second.', 'incomplete'],
  ['I can see 7 screenshots on your Desktop. Would you like me to rename them?', 'deflecting'],
  ["I'm sorry, I don’t have access to your file system.", 'deflecting'],
  ['Which one?', 'deflecting'],
  ['どれですか？', 'deflecting'],
  ['All screenshots have been renamed successfully.', undefined],
  ['All screenshots have been renamed. Let me know if I should continue with the remaining folders.', undefined],
  ['Not all files have been renamed; four are remaining.', 'incomplete'],
  ['Once all files have been renamed, I will continue with the folders.', 'incomplete'],
  ['Here are the results: I can see a cat in 1.png and a dog in 2.png.', undefined],
  ['Summary: 3 open tickets, 200 EUR remaining in the budget.', undefined],
  ['It took long, but everything is done. None is remaining.', undefined],
  ['All but two have been renamed. Two are remaining.', 'incomplete'],
  ['The invoice is paid.', undefined],
  ['```\nremaining\n```\nThe file has this one word.', undefined],
  ['', undefined],
];

test.each(ANSWERS)('%p is %p', (answer, expected) => {
  expect(why(answer)).toBe(expected);
});

test('before the first call, a question or a refusal may be right', () => {
  for (const [answer] of ANSWERS) expect(why(answer, { calls: 0 })).toBeUndefined();
});

test('after three calls a deflection is accepted, work that is left is not', () => {
  expect(why('Would you like me to go on?', { calls: 2 })).toBe('deflecting');
  expect(why('Would you like me to go on?', { calls: 3 })).toBeUndefined();
  expect(why('There are 4 remaining.', { calls: 30 })).toBe('incomplete');
});

test('nudges of each kind end', () => {
  expect(why('Shall I?', { deflecting: MAX_DEFLECTIONS - 1 })).toBe('deflecting');
  expect(why('Shall I?', { deflecting: MAX_DEFLECTIONS })).toBeUndefined();
  expect(why('4 remaining', { incomplete: MAX_INCOMPLETE - 1 })).toBe('incomplete');
  expect(why('4 remaining', { incomplete: MAX_INCOMPLETE })).toBeUndefined();
});

test('a long question is a deflection only where it says so', () => {
  const long = `${'It says that the meeting is on Monday. '.repeat(6)}Is it?`;
  expect(why(long)).toBeUndefined();
  expect(why(long, {}, { ...ENGLISH_TABLES, shortQuestion: 1000 })).toBe('deflecting');
  expect(why('Is it?', {}, { ...ENGLISH_TABLES, shortQuestion: 0 })).toBeUndefined();
});

test('tables of an agent replace the English ones, one by one; words need no spaces around them everywhere', () => {
  const spec = analysisSpec(
    { tables: { incomplete: ['noch übrig', '還有'], complete: ['alles * erledigt'] } },
    undefined,
  );
  const tables = spec?.tables ?? ENGLISH_TABLES;
  expect(why('Vier Dateien sind noch übrig.', {}, tables)).toBe('incomplete');
  expect(why('我還有四個檔案要改名。', {}, tables)).toBe('incomplete');
  expect(why('Noch übrig: nichts. Alles ist erledigt.', {}, tables)).toBeUndefined();
  expect(why('There are 4 remaining.', {}, tables)).toBeUndefined();
  expect(why('Shall I?', {}, tables)).toBe('deflecting');
});

test('it is on for small models, and an agent switches it on and off', () => {
  expect(analysisSpec(undefined, undefined)).toBeUndefined();
  expect(analysisSpec(undefined, 'small')).toEqual({ tables: ENGLISH_TABLES });
  expect(analysisSpec(false, 'small')).toBeUndefined();
  expect(analysisSpec({ claims: true }, undefined)).toEqual({ tables: ENGLISH_TABLES, claims: true });
});

test('a claim is not found where it is denied', () => {
  expect(claimOf('I have renamed them.', ENGLISH_TABLES)).toBe('i have renamed');
  expect(claimOf('If I have renamed them, you see it.', ENGLISH_TABLES)).toBeUndefined();
  expect(claimOf('The ticket was renamed.', ENGLISH_TABLES)).toBeUndefined();
});

test('no input throws, and only the edges of a long text count', () => {
  const phrases = [...ENGLISH_TABLES.incomplete, ...ENGLISH_TABLES.complete, ...ENGLISH_TABLES.deflecting.asks];
  const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('```', ' * ', '\ud800', '?', '\n', ...phrases));
  const list = fc.array(fc.oneof(fc.string(), fc.constantFrom('*', ' * ', ' *  * ', ...phrases)), { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(piece), list, (pieces, incomplete) => {
      const text = pieces.join('');
      const found = analyseAnswer(text, { ...ENGLISH_TABLES, incomplete }, SO);
      if (found?.why === 'incomplete') expect(incomplete).toContain(found.sign);
      expect(() => claimOf(text, ENGLISH_TABLES)).not.toThrow();
    }),
  );
  const middle = 'The weather is fine. '.repeat(500);
  expect(why(`${middle}Four are remaining. ${middle}`)).toBeUndefined();
  expect(why(`${middle}Four are remaining.`)).toBe('incomplete');
});

test.each([
  ['words', 'all have been all have '],
  ['one letter', 'a'],
  ['fences', '```'],
  ['spaces', ' '],
  ['signs', 'no no no remaining '],
])('10 MB of %s are analysed in under a second', async (_what, piece) => {
  const text = piece.repeat(Math.ceil(10_000_000 / piece.length));
  const took = await cpuTime(() => {
    analyseAnswer(text, ENGLISH_TABLES, SO);
    claimOf(text, ENGLISH_TABLES);
  }, 1000);
  expect(took).toBeLessThan(1000);
});
