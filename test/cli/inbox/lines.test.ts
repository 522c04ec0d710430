import type { PendingApproval } from '../../../agent/approvals/approval';
import { visibleJson } from '../../../agent/values/visible';
import { callDetails, questionDetails, waitingHint, waitingLabels } from '../../../cli/inbox/lines';
import { widthOf } from '../../../cli/terminal/text-width';

const now = Date.UTC(2026, 0, 2);
const call: PendingApproval = {
  id: 'mail-1',
  agent: 'support.triage',
  owner: 'bob',
  toolUseId: 't1.1',
  tool: 'refund',
  input: { order: 'A-17', amount: 90 },
  hash: 'h',
  requestedAt: now - 3 * 60_000,
};

it('shows a call in one line: age, agent, owner, run and call, tool and arguments', () => {
  const young = { ...call, id: 'mail-22', requestedAt: now - 1499 };
  expect(waitingLabels([call, young], now, 200)).toEqual([
    '3 min  support.triage  bob  mail-1 t1.1   refund {"order":"A-17","amount":90}',
    '1 s    support.triage  bob  mail-22 t1.1  refund {"order":"A-17","amount":90}',
  ]);
  const [long = ''] = waitingLabels([{ ...call, input: { note: 'x'.repeat(5000) } }], now, 70);
  expect(long).toHaveLength(70);
  expect(long).toMatch(/…$/);
});

it('begins with the tool where the terminal is narrow: without it, two calls look the same', () => {
  const labels = waitingLabels(
    [call, { ...call, toolUseId: 't1.2', tool: 'send_mail', input: { to: 'ann' } }],
    now,
    34,
  );
  expect(labels).toEqual(['3 min  refund {"order":"A-17","am…', '3 min  send_mail {"to":"ann"}…']);
  const [wide = ''] = waitingLabels([{ ...call, tool: '漢'.repeat(40) }], now, 34);
  expect(widthOf(wide)).toBeLessThanOrEqual(34);
});

it('says who may decide and until when', () => {
  expect(waitingHint(call, now)).toBe('for anybody');
  const pressing = { ...call, deciders: ['ann', 'role:finance'], expiresAt: now + 7_200_000, escalated: true as const };
  expect(waitingHint({ ...pressing, repeats: 't1.0', grantsUnread: true }, now)).toBe(
    'for ann or role:finance, expires in 2 h, escalated, repeats t1.0, remembered decisions could not be read',
  );
  expect(waitingHint({ ...call, expiresAt: now - 1 }, now)).toBe('for anybody, expires in no time');
});

it('shows the full arguments before a decision', () => {
  const note = 'x'.repeat(5000);
  const details = callDetails({ ...call, input: { note }, repeats: 't1.0', expiresAt: now + 1000 }, now);
  expect(details).toContain(`{\n  "note": "${note}"\n}`);
  expect(details).toContain('run      mail-1\n');
  expect(details).toContain('expires  2026-01-02T00:00:01.000Z, in 1 s\n');
  expect(details).toContain('whose outcome is unknown');
});

it('hides no character from the decider, and changes none', () => {
  const input = { to: 'ann\u202ebob', note: '\u001b[2J\u009b31m\u200b', plain: 'äß 漢 😀' };
  const shown = visibleJson(input);
  expect(shown).toBe('{"to":"ann\\u202ebob","note":"\\u001b[2J\\u009b31m\\u200b","plain":"äß 漢 😀"}');
  expect(JSON.parse(shown)).toEqual(input);
  expect(callDetails({ ...call, owner: '\u001b[2J' }, now)).not.toContain('\u001b');
});

it('shows the full question with the form of its answer, without control characters', () => {
  const asked = {
    id: 'mail-1',
    agent: 'support.triage',
    toolUseId: 't1.1',
    questionId: 't1.1/2',
    tool: 'bank.transfer',
    question: `Which ${'x'.repeat(500)} account?\u001b[2J`,
    schema: { type: 'object' },
    url: 'https://example.com/consent',
    askedAt: now - 3000,
    expiresAt: now + 1000,
  };
  const [label] = waitingLabels([asked], now, 60);
  expect(label).toMatch(/^3 s {2}support\.triage {4}mail-1 t1\.1\/2 {2}bank\.transfer Which x+…$/);
  const details = questionDetails(asked, now);
  expect(details).toContain('page      https://example.com/consent');
  expect(details).toContain(
    `Which ${'x'.repeat(500)} account?‹U+001B›[2J\n\nThe answer is JSON that fits {"type":"object"}.`,
  );
  expect(waitingHint(asked, now)).toBe('for anybody, expires in 1 s');
});
