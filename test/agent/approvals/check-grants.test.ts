import type { Grant } from '../../../agent/approvals/approval';
import { checkGrants, checkRevoke, checkWanted } from '../../../agent/approvals/check-grants';
import { BYTES } from '../../../agent/limits';
import { refusal } from '../refusal';

const NOW = 1000;
const grant: Grant = { tool: 'refund', key: 'by:a1', allowed: true, by: 'ann', at: 500 };
const wrong = (problem: string) => ({
  type: 'InvalidDecision',
  message: `Invalid decision: ${problem}.`,
  data: { problem },
});
const text = 'must be a string, of at most 1000 characters';
const named = 'must be a non-empty string, of at most 1000 characters';

describe('checkGrants', () => {
  const check = (...grants: unknown[]) => checkGrants({ grants }, NOW);
  const refused = (given: unknown) => refusal(() => checkGrants(given, NOW));

  test('takes decisions unchanged, for an owner or for runs without one', () => {
    const denied = { ...grant, key: '', allowed: false, at: -5.5, comment: 'never' };
    expect(checkGrants({ owner: 'u1', grants: [grant, denied] }, NOW)).toStrictEqual({
      owner: 'u1',
      grants: [grant, denied],
    });
    expect(checkGrants({ owner: '', grants: [] }, NOW)).toStrictEqual({ owner: '', grants: [] });
    expect(check(grant)).toStrictEqual({ grants: [grant] });
  });

  test('drops unknown fields', () => {
    const given = { grants: [{ ...grant, owner: 'u2', remember: 'agent' }], agent: 'a.b' };
    expect(checkGrants(given, NOW)).toStrictEqual({ grants: [grant] });
  });

  test('limits the time of a decision to now', () => {
    const times = [NOW - 1, NOW, NOW + 1, 9e15].map((at) => check({ ...grant, at }).grants[0]?.at);
    expect(times).toEqual([NOW - 1, NOW, NOW, NOW]);
  });

  test('takes names and keys of up to 1,000 characters', () => {
    const long = 'ä'.repeat(1000);
    const most = { ...grant, tool: long, key: long, by: long };
    expect(check(most)).toStrictEqual({ grants: [most] });
    expect(refused({ grants: [grant, { ...grant, tool: `${long}x` }] })).toEqual(
      wrong(`\`tool\` of \`grants[1]\` ${named}`),
    );
    expect(refused({ grants: [{ ...grant, key: `${long}x` }] })).toEqual(wrong(`\`key\` of \`grants[0]\` ${text}`));
    expect(refused({ grants: [{ ...grant, by: `${long}x` }] })).toEqual(wrong(`\`by\` of \`grants[0]\` ${named}`));
  });

  test('keeps one line of a comment, up to 2,000 characters', () => {
    const kept = (comment: string) => check({ ...grant, comment }).grants[0]?.comment;
    expect(kept('')).toBe('');
    expect(kept(' no\n more ')).toBe('no more');
    expect(kept('x'.repeat(2000))).toBe('x'.repeat(2000));
    expect(kept('x'.repeat(2001))).toBe(`${'x'.repeat(1999)}…`);
  });

  const payload = 'the payload must be `{"owner"?: …, "grants": […]}`';
  const row = 'must be `{"tool": …, "key": …, "allowed": …, "by": …, "at": …}`';
  const time = '`at` of `grants[0]` must be milliseconds since 1970';

  test.each<[string, unknown, string]>([
    ['nothing', undefined, payload],
    ['a list', [grant], payload],
    ['no list', { owner: 'u1' }, '`grants` must be a list'],
    ['an object that looks like a list', { grants: { 0: grant, length: 1 } }, '`grants` must be a list'],
    ['a decision that is null', { grants: [grant, null] }, `\`grants[1]\` ${row}`],
    ['a decision that is a text', { grants: ['refund'] }, `\`grants[0]\` ${row}`],
    ['an owner that is not a text', { owner: 7, grants: [] }, '`owner` must be a string, of at most 65536 characters'],
    ['an owner that is null', { owner: null, grants: [] }, '`owner` must be a string, of at most 65536 characters'],
  ])('refuses %s', (_, given, problem) => {
    expect(refused(given)).toEqual(wrong(problem));
  });

  test.each<[string, object, string]>([
    ['no tool', { tool: undefined }, `\`tool\` of \`grants[0]\` ${named}`],
    ['an empty tool', { tool: '' }, `\`tool\` of \`grants[0]\` ${named}`],
    ['no key', { key: undefined }, `\`key\` of \`grants[0]\` ${text}`],
    ['a key that is a number', { key: 7 }, `\`key\` of \`grants[0]\` ${text}`],
    ['a key that is a list', { key: [] }, `\`key\` of \`grants[0]\` ${text}`],
    ['an empty name', { by: '' }, `\`by\` of \`grants[0]\` ${named}`],
    ['a text for a boolean', { allowed: 'yes' }, '`allowed` of `grants[0]` must be true or false'],
    ['no time', { at: undefined }, time],
    ['a time as a text', { at: '2026-01-01T00:00:00Z' }, time],
    ['a time that is not a number', { at: Number.NaN }, time],
    ['an infinite time', { at: Infinity }, time],
    ['a comment that is null', { comment: null }, '`comment` of `grants[0]` must be a string'],
  ])('refuses a decision with %s', (_, more, problem) => {
    expect(refused({ grants: [{ ...grant, ...more }] })).toEqual(wrong(problem));
  });

  test('takes an owner as long as that of a run may be', () => {
    const owner = 'u'.repeat(BYTES.metadata);
    expect(checkGrants({ owner, grants: [] }, NOW)).toEqual({ owner, grants: [] });
    expect(refused({ owner: `${owner}u`, grants: [] })).toEqual(
      wrong('`owner` must be a string, of at most 65536 characters'),
    );
  });
});

describe('checkRevoke', () => {
  test.each([
    { tool: 'refund' },
    { owner: 'u1', tool: 'refund', key: 'by:a1' },
    { owner: '', tool: 'refund', key: '' },
  ])('takes %j unchanged', (given) => {
    expect(checkRevoke(given)).toStrictEqual(given);
    expect(checkRevoke({ ...given, why: 'x' })).toStrictEqual(given);
  });

  const payload = 'the payload must be `{"owner"?: …, "tool": …, "key"?: …}`';

  test.each<[string, unknown, string]>([
    ['nothing', undefined, payload],
    ['a text', 'refund', payload],
    ['no tool', {}, `\`tool\` ${named}`],
    ['an empty tool', { tool: '' }, `\`tool\` ${named}`],
    ['a key that is null', { tool: 'refund', key: null }, `\`key\` ${text}`],
    ['a very long key', { tool: 'refund', key: 'x'.repeat(1001) }, `\`key\` ${text}`],
    [
      'an owner that is not a text',
      { tool: 'refund', owner: 7 },
      '`owner` must be a string, of at most 65536 characters',
    ],
  ])('refuses %s', (_, given, problem) => {
    expect(refusal(() => checkRevoke(given))).toEqual(wrong(problem));
  });
});

describe('checkWanted', () => {
  test('takes any tool and key, however long', () => {
    const long = 'x'.repeat(100_000);
    const wanted = [
      { tool: 'refund', key: '' },
      { tool: '', key: long },
      { tool: long, key: 'by:a1' },
    ];
    expect(checkWanted({ owner: 'u1', wanted })).toStrictEqual({ owner: 'u1', wanted });
    const more = wanted.map((one) => ({ ...one, owner: 'u2' }));
    expect(checkWanted({ wanted: more })).toStrictEqual({ wanted });
  });

  const payload = 'the payload must be `{"owner"?: …, "wanted": [{"tool": …, "key": …}]}`';

  test.each<[string, unknown, string]>([
    ['nothing', null, payload],
    ['no list', {}, '`wanted` must be a list'],
    ['a row that is a text', { wanted: ['refund'] }, '`wanted[0]` must be `{"tool": …, "key": …}`'],
    ['a row without a tool', { wanted: [{ key: '' }] }, '`tool` of `wanted[0]` must be a string'],
    [
      'a row without a key',
      { wanted: [{ tool: '', key: '' }, { tool: 'refund' }] },
      '`key` of `wanted[1]` must be a string',
    ],
    ['an owner that is not a text', { wanted: [], owner: 7 }, '`owner` must be a string, of at most 65536 characters'],
  ])('refuses %s', (_, given, problem) => {
    expect(refusal(() => checkWanted(given))).toEqual(wrong(problem));
  });
});
