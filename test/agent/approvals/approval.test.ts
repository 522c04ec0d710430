import fc from 'fast-check';
import { type Decider, type Grant, grantFor, keyOfArguments, mayDecide } from '../../../agent/approvals/approval';

test('a key of arguments differs from a key that a tool made', () => {
  expect(keyOfArguments('abc')).toBe('sha256:abc');
});

describe('mayDecide', () => {
  test.each<[string, boolean, Decider, string[] | undefined]>([
    ['where no decider is named', true, { by: 'ann' }, undefined],
    ['where the list is empty', false, { by: 'ann', roles: ['finance'] }, []],
    ['who is named', true, { by: 'ann' }, ['bob', 'ann']],
    ['who is not named', false, { by: 'ann' }, ['bob', 'role:finance']],
    ['who has one of the roles', true, { by: 'ann', roles: ['sales', 'finance'] }, ['bob', 'role:finance']],
    ['who has another role', false, { by: 'ann', roles: ['sales'] }, ['bob', 'role:finance']],
    ['who has no role', false, { by: 'ann', roles: [] }, ['role:finance']],
    ['who is named, whatever the roles', true, { by: 'ann', roles: ['sales'] }, ['ann', 'role:finance']],
    ['whose name looks like a role', false, { by: 'role:finance' }, ['role:finance']],
    ['whose role looks like a name', false, { by: 'eve', roles: ['ann'] }, ['ann']],
    ['whose role has the prefix', false, { by: 'eve', roles: ['role:finance'] }, ['role:finance']],
    ['whose name ends like a role', true, { by: 'my role:' }, ['my role:']],
  ])('for a person %s: %j', (_, may, decider, deciders) => {
    expect(mayDecide(decider, deciders)).toBe(may);
  });
});

describe('grantFor', () => {
  const grant = (more: Partial<Grant> = {}): Grant => ({
    tool: 'refund',
    key: 'a1',
    allowed: true,
    by: 'ann',
    at: 1,
    ...more,
  });

  test('finds no decision on another tool or on other calls', () => {
    expect(
      grantFor([grant({ tool: 'pay' }), grant({ key: 'a2' }), grant({ tool: 'pay', key: '' })], 'refund', 'a1'),
    ).toBe(undefined);
    expect(grantFor([grant()], 'refund', '')).toBeUndefined();
  });

  test('finds a decision on such calls, or on every call of the tool', () => {
    const [such, every] = [grant(), grant({ key: '' })];
    expect(grantFor([grant({ tool: 'pay' }), such], 'refund', 'a1')).toBe(such);
    expect(grantFor([grant({ key: 'a2' }), every], 'refund', 'a1')).toBe(every);
    expect(grantFor([every], 'refund', '')).toBe(every);
  });

  test('finds the first decision, but prefers a denial at any position', () => {
    const [first, second, denied] = [grant({ by: 'bob' }), grant({ key: '' }), grant({ key: '', allowed: false })];
    expect(grantFor([first, second], 'refund', 'a1')).toBe(first);
    expect(grantFor([first, second, denied, grant({ allowed: false })], 'refund', 'a1')).toBe(denied);
  });

  test('allows a call only if a decision applies and none that applies denies it', () => {
    const word = fc.constantFrom('', 'a', 'b');
    const any = fc.record({ tool: word, key: word, allowed: fc.boolean(), by: fc.constant('ann'), at: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(any), word, word, (grants, tool, key) => {
        const found = grantFor(grants, tool, key);
        const says = grants.filter((one) => one.tool === tool && ['', key].includes(one.key)).map((one) => one.allowed);
        expect(found?.allowed).toBe(says.length === 0 ? undefined : !says.includes(false));
      }),
    );
  });
});
