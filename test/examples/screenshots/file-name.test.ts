import { fileName, titleWords } from '../../../examples/screenshots/demo-model/file-name';

test.each([
  ['the first line is the title', 'Meeting Notes\nWeekly Sync', 'Meeting_Notes.png'],
  ['the name of the program is left out', 'Invoice 20417 - Document Viewer 0\nHarbor', 'Invoice_20417.png'],
  ['a dash within a word stays', 'Re-order form\n', 'Re-order_form.png'],
  ['lines of signs are passed over', '@ ®\n« »\nLemon Lentil Soup', 'Lemon_Lentil_Soup.png'],
  ['a title of two words wins over a word before it', 'Today\nSprint Plan', 'Sprint_Plan.png'],
  ['one word is better than nothing', '12:30\nRecipes\n', 'Recipes.png'],
  ['letters of other languages stay', 'Größe ändern: «Übersicht»', 'Größe_ändern_Übersicht.png'],
  ['what a path could be made of goes', '../../etc/passwd now', 'etc_passwd_now.png'],
])('%s', (_, text, name) => {
  expect(fileName(titleWords(text), '.png', new Set())).toBe(name);
});

test('a text without words gives no title', () => {
  expect(titleWords('')).toEqual([]);
  expect(titleWords('12:30\n— | —\n@ x')).toEqual([]);
});

test('a taken name gets a number, ignoring case', () => {
  const taken = new Set(['meeting_notes.PNG', 'Meeting_Notes_2.png']);
  expect(fileName(['Meeting', 'Notes'], '.png', taken)).toBe('Meeting_Notes_3.png');
});

test.each([
  ['many words', Array.from({ length: 30 }, () => 'word')],
  ['one endless word', ['x'.repeat(200)]],
])('a name of %s is cut at 60 characters, its number and extension kept', (_, words) => {
  const first = fileName(words, '.jpeg', new Set());
  const second = fileName(words, '.jpeg', new Set([first]));
  expect(first.length).toBeLessThanOrEqual(60);
  expect(second.length).toBeLessThanOrEqual(60);
  expect(first).toMatch(/[^_]\.jpeg$/);
  expect(second).toMatch(/[^_]_2\.jpeg$/);
});
