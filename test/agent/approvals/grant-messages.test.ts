import type { Grant } from '../../../agent/approvals/approval';
import { GrantBook } from '../../../agent/approvals/grant-book';
import { GRANT_CHANGES } from '../../../agent/approvals/grant-messages';
import { refusal } from '../refusal';

const NOW = 1000;
const grant: Grant = { tool: 'refund', key: 'a1', allowed: true, by: 'ann', at: 500 };

/** The change that a message asks for, not yet made. */
function ask(name: string, book: GrantBook, payload: unknown): () => number {
  const change = GRANT_CHANGES[name];
  if (change === undefined) throw new Error(`no change is called ${name}`);
  return change(book, payload, NOW);
}

test('decisions are checked, limited to the current time, set, and counted if they changed something', () => {
  const book = new GrantBook();
  const change = ask('setBatched', book, { owner: 'u1', grants: [grant, { ...grant, key: 'a2', at: NOW + 5 }] });
  expect(book.list()).toEqual([]);
  expect(change()).toBe(2);
  expect(book.list()).toStrictEqual([
    { ...grant, owner: 'u1' },
    { ...grant, key: 'a2', at: NOW, owner: 'u1' },
  ]);
  expect(change()).toBe(0);
});

test('decisions are revoked after the request is checked, and counted', () => {
  const book = new GrantBook();
  book.set('u1', [grant, { ...grant, key: 'a2' }]);
  book.set('u2', [grant]);
  const change = ask('revoke', book, { owner: 'u1', tool: 'refund' });
  expect(book.size).toBe(3);
  expect(change()).toBe(2);
  expect(book.list()).toStrictEqual([{ ...grant, owner: 'u2' }]);
  expect(change()).toBe(0);
});

test.each([
  ['setBatched', { tool: 'refund' }, '`grants` must be a list'],
  ['revoke', { grants: [] }, '`tool` must be a non-empty string, of at most 1000 characters'],
])('%s is refused before anything changes', (name, payload, problem) => {
  const book = new GrantBook();
  book.set(undefined, [grant]);
  expect(refusal(() => ask(name, book, payload))).toMatchObject({ type: 'InvalidDecision', data: { problem } });
  expect(book.list()).toEqual([grant]);
});

test('a book accepts no other messages', () => {
  expect(Object.keys(GRANT_CHANGES).sort()).toEqual(['revoke', 'setBatched']);
});
