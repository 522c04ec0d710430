import fc from 'fast-check';
import type { Grant } from '../../../agent/approvals/approval';
import { GrantBook, UnknownBook } from '../../../agent/approvals/grant-book';
import { jsonBytes } from '../../../agent/values/json';

const grant = (more: Partial<Grant> = {}): Grant => ({
  tool: 'refund',
  key: 'a1',
  allowed: true,
  by: 'ann',
  at: 100,
  ...more,
});

function bookOf(...grants: Partial<Grant>[]): GrantBook {
  const book = new GrantBook();
  for (const one of grants) book.set('u1', [grant(one)]);
  return book;
}

test('a decision applies only to its owner, its tool and its key', () => {
  const book = bookOf({});
  expect(book.find('u1', 'refund', 'a1')).toEqual(grant());
  for (const [owner, tool, key] of [
    ['u2', 'refund', 'a1'],
    [undefined, 'refund', 'a1'],
    ['u1', 'pay', 'a1'],
    ['u1', 'refund', 'a2'],
    ['u1', 'refund', ''],
  ] as const) {
    expect(book.find(owner, tool, key)).toBeNull();
  }
});

test.each([2, 0, undefined])('a book of another version (%j) is not taken as an empty one', (version) => {
  const other = { ...bookOf({ allowed: false }).state(), version };
  const read = () => new GrantBook(other as never);
  expect(read).toThrow(UnknownBook);
  expect(read).toThrow(
    `The remembered decisions are of version ${version}, and this worker knows version 1 only: they wait for a worker with a newer version of holdfast.`,
  );
});

test('it carries over everything, with an owner only if there is one', () => {
  const book = bookOf({ key: 'a1' }, { key: 'a2', comment: 'fine' });
  book.set(undefined, [grant({ key: 'a3' }), grant({ key: 'a4', at: 200 })]);
  book.revoke({ owner: 'u1', tool: 'refund', key: 'a1' });
  book.revoke({ tool: 'refund', key: 'a4' });
  const state = {
    version: 1,
    grants: [{ ...grant({ key: 'a2', comment: 'fine' }), owner: 'u1' }, grant({ key: 'a3' })],
    revoked: [
      { owner: 'u1', tool: 'refund', key: 'a1', at: 100 },
      { tool: 'refund', key: 'a4', at: 200 },
    ],
  };
  expect(book.state()).toStrictEqual(state);
  expect(new GrantBook(book.state()).state()).toStrictEqual(state);
  expect(book.list()).toStrictEqual(state.grants);
  expect(book.size).toBe(2);
  expect(new GrantBook().state()).toStrictEqual({ version: 1, grants: [], revoked: [] });
});

test('the decision for a call is returned without its owner', () => {
  expect(bookOf({ comment: 'fine' }).find('u1', 'refund', 'a1')).toStrictEqual(grant({ comment: 'fine' }));
});

test('a missing owner counts as a separate owner', () => {
  const book = new GrantBook();
  book.set(undefined, [grant({ by: 'none' })]);
  book.set('', [grant({ by: 'empty' })]);
  book.set('null', [grant({ by: 'null' })]);
  expect([undefined, '', 'null', 'u1'].map((owner) => book.find(owner, 'refund', 'a1')?.by)).toEqual([
    'none',
    'empty',
    'null',
    undefined,
  ]);
  expect(book.revoke({ tool: 'refund' })).toBe(1);
  expect(book.list().map(({ owner }) => owner)).toEqual(['', 'null']);
});

test('a decision with an empty key applies to every call of the tool, and a denial wins', () => {
  expect(bookOf({ key: '' }).find('u1', 'refund', 'whatever')).toMatchObject({ allowed: true });
  expect(bookOf({ key: '' }, { allowed: false }).find('u1', 'refund', 'a1')).toMatchObject({ allowed: false });
  expect(bookOf({ key: '', allowed: false }, { at: 900 }).find('u1', 'refund', 'a1')).toMatchObject({ allowed: false });
  expect(bookOf({ key: '' }, { allowed: false }).find('u1', 'refund', 'a2')).toMatchObject({ allowed: true });
});

test('a person may change a decision: the later of two wins, in whichever order they arrive', () => {
  const first = { allowed: false, at: 100 };
  const then = { allowed: true, at: 200 };
  expect(bookOf(first, then).find('u1', 'refund', 'a1')).toMatchObject(then);
  expect(bookOf(then, first).find('u1', 'refund', 'a1')).toMatchObject(then);
});

test('of two with the same time the denial wins, in whichever order they arrive', () => {
  expect(bookOf({ allowed: true }, { allowed: false }).find('u1', 'refund', 'a1')?.allowed).toBe(false);
  expect(bookOf({ allowed: false }, { allowed: true }).find('u1', 'refund', 'a1')?.allowed).toBe(false);
});

test('a decision on such calls comes before an equal one on every call', () => {
  const [every, such] = [
    { key: '', by: 'bob' },
    { key: 'a1', by: 'ann' },
  ];
  for (const book of [bookOf(every, such), bookOf(such, every)]) {
    expect(book.find('u1', 'refund', 'a1')).toStrictEqual(grant(such));
    expect(book.find('u1', 'refund', 'a2')).toStrictEqual(grant(every));
  }
});

test('it returns how many decisions changed something', () => {
  const book = bookOf({ at: 100 });
  expect(book.set('u1', [grant({ at: 99 }), grant({ at: 100 }), grant({ at: 100, by: 'bob' })])).toBe(0);
  expect(book.find('u1', 'refund', 'a1')).toStrictEqual(grant());
  expect(book.set('u1', [grant({ at: 101 }), grant({ at: 101, allowed: false }), grant({ key: 'a2' })])).toBe(3);
  expect(book.set('u1', [grant({ at: 101 })])).toBe(0);
  expect(book.set('u1', [])).toBe(0);
});

test('the decision on a call does not depend on the order in which decisions arrive', () => {
  const any = fc.record({ allowed: fc.boolean(), at: fc.nat(3) });
  const orders = fc
    .array(any, { minLength: 1, maxLength: 6 })
    .chain((ones) => fc.tuple(fc.constant(ones), fc.shuffledSubarray(ones, { minLength: ones.length })));
  fc.assert(
    fc.property(orders, ([ones, shuffled]) => {
      const latest = Math.max(...ones.map(({ at }) => at));
      const allowed = ones.every((one) => one.at < latest || one.allowed);
      for (const order of [ones, shuffled]) {
        expect(bookOf(...order).find('u1', 'refund', 'a1')).toStrictEqual(grant({ at: latest, allowed }));
      }
    }),
  );
});

test('revoking forgets one key, or all of a tool, and returns how many there were', () => {
  const keys = () => bookOf({ key: 'a1' }, { key: 'a2' }, { key: '' }, { tool: 'pay' });
  const left = (book: GrantBook) => book.list().map(({ tool, key }) => `${tool} ${key}`);
  const one = keys();
  expect(one.revoke({ owner: 'u1', tool: 'refund', key: '' })).toBe(1);
  expect(left(one)).toEqual(['refund a1', 'refund a2', 'pay a1']);
  const all = keys();
  expect(all.revoke({ owner: 'u1', tool: 'refund' })).toBe(3);
  expect(left(all)).toEqual(['pay a1']);
  expect(all.revoke({ owner: 'u1', tool: 'refund' })).toBe(0);
});

test.each([{ key: 'a1' }, {}])('a revoked decision (%j) does not come back when it is delivered again', (key) => {
  const book = bookOf({ at: 100 });
  book.revoke({ owner: 'u1', tool: 'refund', ...key });
  const later = new GrantBook(JSON.parse(JSON.stringify(book.state())));
  expect(later.set('u1', [grant({ at: 100 })])).toBe(0);
  expect(later.find('u1', 'refund', 'a1')).toBeNull();
  expect(later.set('u2', [grant({ at: 100 })])).toBe(1);
  expect(later.set('u1', [grant({ at: 50 })])).toBe(0);
  expect(later.set('u1', [grant({ at: 101 })])).toBe(1);
});

test('over 10,000 decisions the oldest are dropped, and one that was set again is not old', () => {
  const book = new GrantBook();
  const many = (from: number, to: number, at: number) =>
    Array.from({ length: to - from }, (_, i) => grant({ key: `k${from + i}`, at }));
  book.set('u1', many(0, 10_000, 100));
  book.set('u1', [grant({ key: 'k0', at: 200 })]);
  book.set('u1', many(10_000, 10_002, 300));
  expect(book.size).toBe(10_000);
  expect(['k0', 'k1', 'k2', 'k3'].map((key) => book.find('u1', 'refund', key)?.at)).toEqual([
    200,
    undefined,
    undefined,
    100,
  ]);
});

test('it always fits into one payload, however long names and comments are', () => {
  const book = new GrantBook();
  const long = 'ä'.repeat(1000);
  for (let i = 0; i < 1000; i++) {
    book.set(long, [grant({ tool: long, key: `${i}${long}`, comment: long })]);
    if (i % 2 === 0) book.revoke({ owner: long, tool: long, key: `${i}${long}` });
  }
  expect(jsonBytes(book.state())).toBeLessThan(1600 * 1024);
  expect(book.find(long, long, `999${long}`)).not.toBeNull();
});

test('a book restored from its state gives the same answers', () => {
  const word = fc.constantFrom('', 'a', 'b');
  const owner = fc.constantFrom(undefined, '', 'a');
  const change = fc.oneof(
    fc.record({ owner, tool: word, key: word, allowed: fc.boolean(), at: fc.nat(5) }),
    fc.record({
      owner,
      tool: word,
      key: fc.constantFrom(undefined, '', 'a', 'b'),
      revoke: fc.constant(true),
      at: fc.nat(5),
    }),
  );
  fc.assert(
    fc.property(fc.array(change), fc.nat(), (changes, cut) => {
      const whole = new GrantBook();
      let parts = new GrantBook();
      changes.forEach((one, i) => {
        if (i === cut % changes.length) parts = new GrantBook(JSON.parse(JSON.stringify(parts.state())));
        for (const book of [whole, parts]) {
          const { owner: of, tool, key, at } = one;
          if ('allowed' in one) book.set(of, [grant({ tool, key: key ?? '', allowed: one.allowed, at })]);
          else book.revoke({ tool, ...(of === undefined ? {} : { owner: of }), ...(key === undefined ? {} : { key }) });
        }
      });
      expect(parts.state()).toEqual(whole.state());
    }),
  );
});
