import fc from 'fast-check';
import { keyOf, partsOfKey } from '../../../../agent/protocol/calls/idempotency-key';

const CHAIN = '01234567-89ab-4cde-8f01-23456789abcd';
const HASH = '0123456789abcdef'.repeat(4);
const key = `${CHAIN}/${HASH.slice(0, 32)}/t12.3`;

test('a key names the run, the arguments by half of their hash, and the call', () => {
  expect(keyOf({ chainId: CHAIN }, { toolUseId: 't12.3', hash: HASH })).toBe(key);
  expect(partsOfKey(key)).toStrictEqual({ chainId: CHAIN, toolUseId: 't12.3' });
});

test('the parts of every key are those that it was made from', () => {
  const hex = fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: 64, maxLength: 64 });
  fc.assert(
    fc.property(fc.uuid(), hex, fc.nat(), fc.nat(), (chainId, digits, turn, n) => {
      const toolUseId = `t${turn}.${n}`;
      expect(partsOfKey(keyOf({ chainId }, { toolUseId, hash: digits.join('') }))).toEqual({ chainId, toolUseId });
    }),
  );
});

test.each<[string, string]>([
  ['an empty text', ''],
  ['a call alone', 't12.3'],
  ['a key with something before it', `x${key}`],
  ['a key with something after it', `${key}x`],
  ['a key of two lines', `${key}\nt1.1`],
  ['a shorter run', key.slice(1)],
  ['a run in capital letters', key.replace('ab', 'AB')],
  ['a whole hash', `${CHAIN}/${HASH}/t12.3`],
  ['half of that hash', `${CHAIN}/${HASH.slice(0, 31)}/t12.3`],
  ['an invalid hash', `${CHAIN}/${'g'.repeat(32)}/t12.3`],
  ['no hash', `${CHAIN}/t12.3`],
  ['a call without a number', `${CHAIN}/${HASH.slice(0, 32)}/t12`],
  ['a call without a turn', `${CHAIN}/${HASH.slice(0, 32)}/t.3`],
  ['a call of words', `${CHAIN}/${HASH.slice(0, 32)}/tx.3`],
  ['a question of a call', `${key}/2`],
])('%s is not a key', (_, other) => {
  expect(partsOfKey(other)).toBeUndefined();
});
