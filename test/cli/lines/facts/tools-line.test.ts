import { told } from '../told-fact';

test('a fact about offered tools says how many, what ranked them, and what that saves', () => {
  const about = { type: 'tools.offered', turn: 2, offered: 18, hidden: 66, saved: 9120 } as const;
  expect(told({ ...about, ranker: 'bm25' })).toBe('18 of 84 tools offered, ranked by bm25, which saves 9120 tokens');
  expect(told({ ...about, ranker: 'bm25', problem: 'http://a.b: ECONNREFUSED' })).toBe(
    '18 of 84 tools offered, ranked by bm25, since http://a.b: ECONNREFUSED, which saves 9120 tokens',
  );
  expect(told({ ...about, hidden: 0, saved: 0 })).toBe('18 of 18 tools offered');
});
