import fc from 'fast-check';
import { nameTable, nearNames } from '../../../../agent/model/names/name-table';

describe('nameTable', () => {
  it('replaces what providers do not accept', () => {
    expect(nameTable(['weather.forecast', 'lookup'])).toEqual(
      new Map([
        ['weather.forecast', 'weather_forecast'],
        ['lookup', 'lookup'],
      ]),
    );
  });

  it('gives colliding names different suffixes and does not change a name that is already valid', () => {
    const table = nameTable(['a.b', 'a_b', 'a-b']);
    expect(table.get('a_b')).toBe('a_b');
    expect(table.get('a.b')).toMatch(/^a_b_[0-9a-f]{8}$/);
  });

  it('cuts names that are too long for providers and adds a suffix', () => {
    const [fits, long] = ['a'.repeat(64), 'a'.repeat(65)];
    expect(nameTable([fits]).get(fits)).toBe(fits);
    expect(nameTable([long]).get(long)).toMatch(/^a{55}_[0-9a-f]{8}$/);
  });

  it('gives an empty name a name', () => {
    expect(nameTable([''])).toEqual(new Map([['', '_']]));
  });

  it('gives no name that another tool already has, even if that one looks like a name with a suffix', () => {
    const suffixed = nameTable(['a.b', 'a_b']).get('a.b') as string;
    const names = ['a.b', 'a_b', suffixed];
    const table = nameTable(names);
    expect(new Set(table.values()).size).toBe(3);
    expect(table.get(suffixed)).toBe(suffixed);
    expect(nameTable(names.reverse())).toEqual(table);
  });

  it('tells names with equal suffixes apart, in any order', () => {
    // Found by search: the hashes of both begin with the same eight digits.
    const names = ['look:,?,+/', 'look;,/+/.'];
    const table = nameTable(names);
    expect(new Set(names.map((name) => nameTable([name, 'look______']).get(name))).size).toBe(1);
    expect(new Set(table.values()).size).toBe(2);
    expect(nameTable([...names].reverse())).toEqual(table);
  });

  it('is one to one also with names that were made by the table', () => {
    const name = fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom('a', '.', '_', 'ü') });
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 8 }), (names) => {
        const all = [...new Set([...names, ...nameTable(names).values()])];
        const table = nameTable(all);
        expect(new Set(table.values()).size).toBe(all.length);
        expect(nameTable([...all].reverse())).toEqual(table);
      }),
    );
  });

  it('is one to one, acceptable to providers and independent of the order, for any names', () => {
    const name = fc.string({ minLength: 1, maxLength: 90, unit: fc.constantFrom('a', 'b', '.', '_', '-', 'ü', '1') });
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 30 }), (names) => {
        const table = nameTable(names);
        const values = [...table.values()];
        expect(new Set(values).size).toBe(names.length);
        for (const value of values) expect(value).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(nameTable([...names].reverse())).toEqual(table);
      }),
    );
  });
});

/** How many characters must be inserted, deleted or changed: the plain definition. */
function edits(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return edits(restA, restB);
  return 1 + Math.min(edits(restA, restB), edits(a, restB), edits(restA, b));
}

describe('nearNames', () => {
  it('finds what was probably meant', () => {
    const names = ['lookup_order', 'refund', 'list_directory'];
    expect(nearNames('lookup', names)).toEqual(['lookup_order']);
    expect(nearNames('Refnd', names)).toEqual(['refund']);
    expect(nearNames('refund', ['REFUND'])).toEqual(['REFUND']);
    expect(nearNames('qqqqqqqq', names)).toEqual([]);
    expect(nearNames('lookup', [])).toEqual([]);
  });

  it.each([
    // Two edits are always near.
    ['a', 'bc', true],
    ['ab', 'cd', true],
    ['abc', 'xyz', false],
    // Otherwise up to half of the longer name.
    ['abcde', 'abxyz', true],
    ['abcdef', 'abcxyz', true],
    ['abcdef', 'abwxyz', false],
    ['look', 'lookups', true],
    ['lookups', 'look', true],
    ['look', 'looking_up', false],
  ])('%s is near %s: %s', (name, known, near) => {
    expect(nearNames(name, [known])).toEqual(near ? [known] : []);
  });

  it('returns the three nearest, the nearest first, and equally near ones by name', () => {
    const names = ['refunds', 'funds', 'refnd', 'fund', 'refunded', 'refund'];
    expect(nearNames('refund', names)).toEqual(['refund', 'refnd', 'refunds']);
    expect(nearNames('refund', [...names].reverse())).toEqual(['refund', 'refnd', 'refunds']);
  });

  it('sorts by the number of changes', () => {
    const name = fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(name, name, name, (given, one, other) => {
        fc.pre(one !== other);
        const [a, b] = [edits(given, one), edits(given, other)];
        const found = nearNames(given, [one, other]);
        fc.pre(found.length === 2);
        expect(found[0]).toBe(a < b || (a === b && one < other) ? one : other);
      }),
    );
  });

  it('compares long names by their first 100 characters', () => {
    const [short, long] = ['a'.repeat(100), 'a'.repeat(100) + 'b'.repeat(200)];
    expect(nearNames(long, [short])).toEqual([short]);
    expect(nearNames(short, [long])).toEqual([long]);
  });
});
