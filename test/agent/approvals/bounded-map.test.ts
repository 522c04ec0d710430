import fc from 'fast-check';
import { BoundedMap } from '../../../agent/approvals/bounded-map';
import { jsonBytes } from '../../../agent/values/json';

const MANY = { entries: 100, bytes: 10_000 };

function mapOf(max: { entries: number; bytes: number }, ...entries: [string, string][]): BoundedMap<string> {
  const map = new BoundedMap<string>(max);
  for (const [key, value] of entries) map.set(key, value);
  return map;
}

test('it returns what was set', () => {
  const map = mapOf(MANY, ['a', '1'], ['b', '2']);
  expect([map.get('a'), map.get('b'), map.get('c'), map.get('toString')]).toEqual(['1', '2', undefined, undefined]);
  expect(map.values()).toEqual(['1', '2']);
  expect(map.size).toBe(2);
});

test('an entry that is set again is the newest', () => {
  const map = mapOf(MANY, ['a', '1'], ['b', '2'], ['a', '3']);
  expect(map.values()).toEqual(['2', '3']);
  expect(map.size).toBe(2);
});

test('with too many entries it drops the oldest', () => {
  const max = { ...MANY, entries: 2 };
  expect(mapOf(max, ['a', '1'], ['b', '2']).values()).toEqual(['1', '2']);
  const map = mapOf(max, ['a', '1'], ['b', '2'], ['a', '3'], ['c', '4']);
  expect(map.values()).toEqual(['3', '4']);
  expect(map.get('b')).toBeUndefined();
});

test('with too many bytes it drops as many of the oldest as necessary', () => {
  // Each text takes two bytes more for its quotes.
  const max = { ...MANY, bytes: 12 };
  expect(mapOf(max, ['a', 'xx'], ['b', 'xx'], ['c', 'ä']).values()).toEqual(['xx', 'xx', 'ä']);
  expect(mapOf(max, ['a', 'xx'], ['b', 'xx'], ['c', 'xxx']).values()).toEqual(['xx', 'xxx']);
  expect(mapOf(max, ['a', 'xx'], ['b', 'xx'], ['c', 'x'.repeat(10)]).values()).toEqual(['x'.repeat(10)]);
});

test('a value that is too large by itself is not kept', () => {
  const map = mapOf({ ...MANY, bytes: 12 }, ['a', 'xx'], ['b', 'x'.repeat(11)]);
  expect([map.size, map.values()]).toEqual([0, []]);
  map.set('c', 'x'.repeat(10));
  expect(map.get('c')).toBe('x'.repeat(10));
});

test('a deleted entry takes no room, and deleting it again changes nothing', () => {
  const map = mapOf({ ...MANY, bytes: 12 }, ['a', 'xx'], ['b', 'xx']);
  map.delete('a');
  map.delete('a');
  map.delete('never there');
  expect([map.size, map.get('a'), map.values()]).toEqual([1, undefined, ['xx']]);
  map.set('c', 'x'.repeat(6));
  expect(map.size).toBe(2);
  map.set('d', '');
  expect(map.values()).toEqual(['x'.repeat(6), '']);
});

test('it holds the newest entries that fit, after any changes', () => {
  const max = { entries: 3, bytes: 20 };
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const change = fc.oneof(fc.record({ key, value: fc.string({ maxLength: 20 }) }), fc.record({ key }));
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const map = new BoundedMap<string>(max);
      let kept: { key: string; value: string }[] = [];
      for (const one of changes) {
        kept = kept.filter((other) => other.key !== one.key);
        if ('value' in one) {
          map.set(one.key, one.value);
          kept.push(one);
        } else map.delete(one.key);
        const bytes = () => kept.reduce((sum, { value }) => sum + jsonBytes(value), 0);
        while (kept.length > max.entries || bytes() > max.bytes) kept.shift();
        expect(map.values()).toEqual(kept.map(({ value }) => value));
        expect(map.size).toBe(kept.length);
        for (const { key, value } of kept) expect(map.get(key)).toBe(value);
      }
    }),
  );
});
