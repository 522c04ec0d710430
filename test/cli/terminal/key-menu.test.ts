import { optionText, pickedBy } from '../../../cli/terminal/key-menu';

const options = [
  { key: 'a', value: 'approve', label: 'approve' },
  { key: 'd', value: 'deny', label: 'deny' },
];

test('a line decides if it is a key of the menu that was pressed by itself', () => {
  expect(pickedBy(options, 'a', 'a')).toEqual({ type: 'picked', value: 'approve' });
  expect(pickedBy(options, 'D', 'd')).toEqual({ type: 'picked', value: 'deny' });
});

test('a line that is longer than a key is a text, whatever was pressed last', () => {
  for (const line of ['do not', 'at once', 'a a', 'aa', 'approve', 'yes', 'x']) {
    for (const pressed of [undefined, 'a', 'd']) expect(pickedBy(options, line, pressed)).toEqual({ type: 'text' });
  }
});

test('a key that does not count, and Enter alone, decide nothing and say so', () => {
  for (const [line, pressed] of [
    ['a', undefined],
    ['a', 'd'],
    ['', undefined],
    ['', 'a'],
  ] as const) {
    expect(pickedBy(options, line, pressed)).toMatchObject({
      type: 'nothing',
      hint: expect.stringMatching(/(did not count|decides nothing).* Type a or d, then Enter\.$/),
    });
  }
});

test('a label from others stays one row and hides nothing', () => {
  expect(optionText({ key: '1', value: 'x', label: 'yes\na  approve \u202eon' })).toBe('1  yes a approve ‹U+202E›on');
});
