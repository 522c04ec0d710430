import fc from 'fast-check';
import { hashText } from '../../../agent/values/hash';

// Runs and workers of other builds already use these hashes: they must not change.
it.each([
  ['', '', '02eab5c9e0a2dc67'],
  ['a', '', 'efa19b5905ef21a0'],
  ['hello', '', '8a8766b3ffb7688b'],
  ['hello', 'seed', '58d2f2b03efa19e4'],
  ['ä😀', '', '758fa03b55fef9ed'],
  ['\u0000', '', '738122fc31361da9'],
])('the hash of %j with the seed %j stays %s', (text, seed, hash) => {
  expect(hashText(text, seed)).toBe(hash);
});

it('a hash is 16 hexadecimal digits, also one that begins with zeros', () => {
  const hashes = Array.from({ length: 5000 }, (_, i) => hashText(`text ${i}`));
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{16}$/);
  expect(hashes.some((hash) => hash.startsWith('00'))).toBe(true);
  expect(hashes.some((hash) => hash.startsWith('00', 8))).toBe(true);
  expect(new Set(hashes).size).toBe(hashes.length);
});

it('a text that differs in one character has another hash in both halves', () => {
  const index = fc.nat({ max: 59 });
  fc.assert(
    fc.property(fc.string({ minLength: 60, maxLength: 60, unit: 'binary-ascii' }), index, (text, i) => {
      const other = `${text.slice(0, i)}ü${text.slice(i + 1)}`;
      const [a, b] = [hashText(text), hashText(other)];
      expect(a.slice(0, 8)).not.toBe(b.slice(0, 8));
      expect(a.slice(8)).not.toBe(b.slice(8));
    }),
  );
});

it('the seed comes before the text, so that the hash of a longer text continues that of a shorter one', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (seed, text) => {
      expect(hashText(text, seed)).toBe(hashText(seed + text));
    }),
  );
});
