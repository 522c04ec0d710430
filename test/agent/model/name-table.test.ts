import fc from 'fast-check';
import { nameTable, nearNames } from '../../../agent/model/name-table';

describe('nameTable', () => {
  it('replaces what providers do not accept', () => {
    expect(nameTable(['weather.forecast', 'lookup'])).toEqual(
      new Map([
        ['weather.forecast', 'weather_forecast'],
        ['lookup', 'lookup'],
      ]),
    );
  });

  it('gives colliding names a suffix of their own, and leaves the one that needs no replacing alone', () => {
    const table = nameTable(['a.b', 'a_b', 'a-b']);
    expect(table.get('a_b')).toBe('a_b');
    expect(table.get('a.b')).toMatch(/^a_b_[0-9a-f]{8}$/);
  });

  it('gives no name that another tool has by itself, also where that one looks like a name with a suffix', () => {
    const suffixed = nameTable(['a.b', 'a_b']).get('a.b') as string;
    const names = ['a.b', 'a_b', suffixed];
    const table = nameTable(names);
    expect(new Set(table.values()).size).toBe(3);
    expect(table.get(suffixed)).toBe(suffixed);
    expect(nameTable(names.reverse())).toEqual(table);
  });

  it('is one to one also beside names that are made from those of the table', () => {
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

it('nearNames finds what was probably meant', () => {
  const names = ['lookup_order', 'refund', 'list_directory'];
  expect(nearNames('lookup', names)).toEqual(['lookup_order']);
  expect(nearNames('Refnd', names)).toEqual(['refund']);
  expect(nearNames('qqqqqqqq', names)).toEqual([]);
});
