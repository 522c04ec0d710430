import fc from 'fast-check';
import { MAX_RAW_INPUT, rawInputOf } from '../../../agent/model/raw-input';
import { utf8Bytes } from '../../../agent/values/json';

const NOTE = /… \[cut: the first 16384 of (\d+) bytes\]$/;

it.each(['', 'look at 3', 'x'.repeat(MAX_RAW_INPUT), 'é'.repeat(MAX_RAW_INPUT / 2), '😀'.repeat(MAX_RAW_INPUT / 4)])(
  'keeps a text of up to 16 KB whole',
  (text) => {
    expect(rawInputOf(text)).toBe(text);
  },
);

it('cuts a longer text, and notes its full size', () => {
  expect(rawInputOf('x'.repeat(20_000))).toBe(`${'x'.repeat(16_384)}… [cut: the first 16384 of 20000 bytes]`);
});

it('cuts between two code points, whatever the text', () => {
  const unit = fc.oneof(
    fc.constantFrom('a', 'é', '漢', '😀', '\ud83d', '\ude00'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const long = fc.array(unit, { minLength: 1, maxLength: 9 }).map((units) => units.join('').padEnd(1, 'x'));
  fc.assert(
    fc.property(long, fc.integer({ min: 15_000, max: 30_000 }), (piece, length) => {
      const text = piece.repeat(Math.ceil(length / utf8Bytes(piece)));
      const kept = rawInputOf(text);
      const head = kept.replace(NOTE, '');
      expect(text.startsWith(head)).toBe(true);
      expect(utf8Bytes(head)).toBeLessThanOrEqual(MAX_RAW_INPUT);
      if (utf8Bytes(text) <= MAX_RAW_INPUT) expect(kept).toBe(text);
      else {
        expect(Number(NOTE.exec(kept)?.[1])).toBe(utf8Bytes(text));
        expect(utf8Bytes(head)).toBeGreaterThan(MAX_RAW_INPUT - 4);
        // What follows is a whole code point: its two halves are not separated.
        expect(utf8Bytes(head) + utf8Bytes(text.slice(head.length))).toBe(utf8Bytes(text));
      }
    }),
  );
});
