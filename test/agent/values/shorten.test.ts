import fc from 'fast-check';
import { shorten } from '../../../agent/values/shorten';

it.each<[string, number, string]>([
  ['short', 10, 'short'],
  ['0123456789', 10, '0123456789'],
  ['0123456789x', 10, '012345678…'],
  ['', 10, ''],
  ['  one\n\ttwo   three ', 20, 'one two three'],
  ['one\r\ntwo', 20, 'one two'],
  ['pay \u202ebob', 20, 'pay ‹U+202E›bob'],
  ['12345678 ', 8, '12345678'],
  ['01234567😀x', 10, '01234567…'],
  ['0123456😀xx', 10, '0123456😀…'],
])('%j in %i characters is %j', (text, max, expected) => {
  expect(shorten(text, max)).toBe(expected);
});

// The cut leaves the joiner, or the tags of a flag, that belonged to the rest of an emoji.
it('hides nothing, even if an emoji is cut', () => {
  expect(shorten('👨\u200d👩\u200d👧 all', 4)).toBe('👨…');
});

it('any text becomes one line within the maximum, without halves of characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, max) => {
      const line = shorten(text, max);
      expect(line.length).toBeLessThanOrEqual(max);
      expect(line).not.toMatch(/\p{Surrogate}|\n|^\s|\s$/u);
    }),
  );
});
