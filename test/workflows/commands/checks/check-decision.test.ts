import type { Decision } from '../../../../agent/approvals/approval';
import type { ApprovalQuestion, ApprovalState, BatchCall } from '../../../../agent/state/batch';
import { type Json, type JsonObject, jsonBytes } from '../../../../agent/values/json';
import { MAX_DEPTH } from '../../../../agent/values/json-depth';
import { checkDecision, refusalOf } from '../../../../workflows/commands/checks/check-decision';
import { refusal } from '../../../agent/refusal';
import { batchCall, runState } from '../../state-data';

type Kind = Decision['decision'];

describe('checkDecision', () => {
  const plain = { toolUseId: 't1.1', by: 'ann' };
  const input = { amount: 5 };
  const noDecision = (problem: string) => ({
    type: 'InvalidDecision',
    message: `Invalid decision: ${problem}.`,
    data: { problem },
  });

  test.each<[Kind, object]>([
    ['approve', plain],
    ['approve', { ...plain, roles: ['finance'], hash: 'h', remember: 'once', comment: 'fine' }],
    ['deny', plain],
    ['deny', { ...plain, roles: [], hash: 'h', remember: 'run', reason: 'too much' }],
    ['edit', { ...plain, input }],
    ['edit', { ...plain, input: {}, roles: [''], hash: 'h', remember: 'agent', comment: '' }],
  ])('adds only the kind of decision, %s, to the given fields: %j', (kind, given) => {
    expect(checkDecision(kind, given)).toStrictEqual({ ...given, decision: kind });
  });

  const object = 'Expected an object such as `{"toolUseId": "t1.1", "by": "ann"}`';
  const fields = 'toolUseId, by, roles, hash';
  const roles = 'Expected `roles` to be a list of at most 100 short texts';
  const remember = 'Expected `remember` to be `once`, `run` or `agent`';
  const newInput = 'Expected `input` to be the new arguments, an object';

  test.each<[string, Kind, unknown, string]>([
    ['nothing', 'approve', undefined, object],
    ['a text', 'deny', 't1.1', object],
    ['a list', 'approve', [plain], object],
    ['no call', 'approve', { by: 'ann' }, 'Expected `toolUseId` to be a string'],
    ['a call of blanks only', 'deny', { ...plain, toolUseId: ' \t' }, 'Expected `toolUseId` to be a string'],
    ['a call that is a number', 'edit', { ...plain, toolUseId: 1, input }, 'Expected `toolUseId` to be a string'],
    ['no decider', 'approve', { toolUseId: 't1.1' }, 'Expected `by` to be a string'],
    ['an empty name', 'approve', { ...plain, by: '' }, 'Expected `by` to be a string'],
    ['a hash that is not a text', 'approve', { ...plain, hash: 7 }, 'Expected `hash` to be a string'],
    ['a comment that is null', 'approve', { ...plain, comment: null }, 'Expected `comment` to be a string'],
    ['a reason that is a list', 'deny', { ...plain, reason: ['a'] }, 'Expected `reason` to be a string'],
    [
      'a reason for an approval',
      'approve',
      { ...plain, reason: 'x' },
      `Unknown field \`reason\` in \`approve\`; known are ${fields}, remember, comment`,
    ],
    [
      'a comment on a denial',
      'deny',
      { ...plain, comment: 'x' },
      `Unknown field \`comment\` in \`deny\`; known are ${fields}, remember, reason`,
    ],
    [
      'a strange field name of several lines',
      'edit',
      { ...plain, input, [`a\n${'b'.repeat(60)}`]: 1 },
      `Unknown field \`a ${'b'.repeat(47)}…\` in \`edit\`; known are ${fields}, input, remember, comment`,
    ],
    ['one role alone', 'approve', { ...plain, roles: 'finance' }, roles],
    ['roles that are null', 'approve', { ...plain, roles: null }, roles],
    ['a role that is not a text', 'approve', { ...plain, roles: ['finance', 7] }, roles],
    ['a very long role', 'approve', { ...plain, roles: ['finance', 'x'.repeat(201)] }, roles],
    ['very many roles', 'approve', { ...plain, roles: Array(101).fill('finance') }, roles],
    ['an unknown `remember`', 'deny', { ...plain, remember: 'always' }, remember],
    ['`remember: null`', 'deny', { ...plain, remember: null }, remember],
    ['no new arguments', 'edit', plain, newInput],
    ['new arguments that are a list', 'edit', { ...plain, input: [input] }, newInput],
  ])('refuses a decision with %s', (_, kind, given, problem) => {
    expect(refusal(() => checkDecision(kind, given))).toEqual(noDecision(problem));
  });

  test.each<[string, number, Kind]>([
    ['toolUseId', 100, 'approve'],
    ['by', 200, 'deny'],
    ['hash', 100, 'edit'],
    ['comment', 2000, 'approve'],
    ['comment', 2000, 'edit'],
    ['reason', 2000, 'deny'],
  ])('takes in `%s` at most %d characters', (field, max, kind) => {
    const given = { ...plain, ...(kind === 'edit' ? { input } : {}), [field]: 'ä'.repeat(max) };
    expect(checkDecision(kind, given)).toEqual({ ...given, decision: kind });
    expect(refusal(() => checkDecision(kind, { ...given, [field]: 'a'.repeat(max + 1) }))).toEqual(
      noDecision(`Expected \`${field}\` to have at most ${max} characters, it has ${max + 1}`),
    );
  });

  test('takes up to a hundred roles of up to 200 characters', () => {
    const given = { ...plain, roles: Array(100).fill('x'.repeat(200)) };
    expect(checkDecision('approve', given)).toEqual({ ...given, decision: 'approve' });
  });

  test('takes new arguments of the greatest depth of external JSON, and not one level deeper', () => {
    let deep: JsonObject = {};
    for (let level = 1; level < MAX_DEPTH; level++) deep = { deep };
    expect(checkDecision('edit', { ...plain, input: deep })).toEqual({ ...plain, input: deep, decision: 'edit' });
    expect(refusal(() => checkDecision('edit', { ...plain, input: { deep } }))).toEqual(
      noDecision('`input` is nested deeper than 200 levels'),
    );
  });

  test('takes new arguments of up to 64 KB', () => {
    const most = 64 * 1024;
    const text = 'x'.repeat(most - jsonBytes({ text: '' }));
    const given = { ...plain, input: { text } };
    expect(checkDecision('edit', given)).toEqual({ ...given, decision: 'edit' });
    expect(refusal(() => checkDecision('edit', { ...plain, input: { text: `${text}x` } }))).toEqual(
      noDecision(`\`input\` is ${most + 1} bytes, more than the limit of ${most}`),
    );
  });
});

describe('refusalOf', () => {
  const AT = Date.UTC(2026, 0, 2, 3, 4, 5);
  const approval = (more: Partial<ApprovalQuestion> = {}): ApprovalState => ({
    status: 'asked',
    hash: 'h1',
    key: '',
    requestedAt: AT,
    ...more,
  });
  const waits = (toolUseId: string, more: Partial<ApprovalQuestion> = {}) =>
    batchCall({ toolUseId, approval: approval(more) });
  const decision = (more: Partial<Decision> = {}) =>
    ({ decision: 'approve', toolUseId: 't1.1', by: 'ann', ...more }) as Decision;
  const refused = (batch: BatchCall[], given: Partial<Decision>, decided = {}): Json | undefined =>
    refusalOf(runState([], { batch, decided }), decision(given))?.toJSON();
  const notFound = (toolUseId: string, pending: string[], says: string) => ({
    type: 'ApprovalNotFound',
    message: `No call \`${toolUseId}\` of the run \`run-1\` waits for a decision; ${says}.`,
    data: { id: 'run-1', toolUseId, pending },
  });

  test.each<[string, Partial<ApprovalQuestion>, Partial<Decision>]>([
    ['by anyone, without the hash of its arguments', {}, {}],
    ['with the hash of its arguments', {}, { hash: 'h1' }],
    ['by one of its deciders', { deciders: ['bob', 'ann'] }, {}],
    ['by a role', { deciders: ['role:finance'] }, { roles: ['sales', 'finance'] }],
  ])('a decision on a call that waits is accepted: %s', (_, waiting, given) => {
    expect(refused([waits('t1.2'), waits('t1.1', waiting)], given)).toBeUndefined();
  });

  test.each([
    ['approve', 'approved'],
    ['deny', 'denied'],
    ['edit', 'approved with other arguments'],
  ])('a decision on a call that is decided already is refused: %s is told as %s', (kind, told) => {
    const at = '2026-01-02T03:04:05.000Z';
    expect(refused([waits('t1.1')], {}, { 't1.1': { decision: kind, by: 'bob', at: AT } })).toEqual({
      type: 'ApprovalDecided',
      message: `The call \`t1.1\` of the run \`run-1\` is decided already: ${told} by bob at ${at}.`,
      data: { id: 'run-1', toolUseId: 't1.1', decision: told, by: 'bob', at },
    });
  });

  test('an earlier decision without a name is told without one', () => {
    expect(refused([], {}, { 't1.1': { decision: 'deny', at: AT } })).toMatchObject({ data: { by: '' } });
  });

  test('a decision on a call whose approval has expired is refused', () => {
    expect(refused([], {}, { 't1.1': { decision: 'expired', at: AT } })).toEqual({
      type: 'ApprovalExpired',
      message: 'No one decided on the call `t1.1` of the run `run-1` in time.',
      data: { id: 'run-1', toolUseId: 't1.1' },
    });
  });

  test('a decision on a call that does not wait is refused with the calls that do', () => {
    const decided: ApprovalState = {
      status: 'decided',
      hash: 'h1',
      key: '',
      requestedAt: AT,
      decision: { decision: 'approve', at: AT },
    };
    const batch = [
      batchCall({ toolUseId: 't1.1' }),
      batchCall({ toolUseId: 't1.2', approval: decided }),
      batchCall({ toolUseId: 't1.3', approval: approval(), outcome: { content: [] } }),
      waits('t1.4'),
      waits('t1.5'),
    ];
    for (const toolUseId of ['t1.1', 't1.2', 't1.3', 't9.9']) {
      expect(refused(batch, { toolUseId })).toEqual(notFound(toolUseId, ['t1.4', 't1.5'], 'waiting: `t1.4`, `t1.5`'));
    }
  });

  test.each(['t1.1', 'constructor', '__proto__'])('a decision on `%s` is refused when nothing waits', (toolUseId) => {
    expect(refused([batchCall()], { toolUseId })).toEqual(notFound(toolUseId, [], 'none does'));
  });

  test('a decision about other arguments is refused with both hashes', () => {
    expect(refused([waits('t1.2', { hash: 'h2' }), waits('t1.1')], { hash: 'h2' })).toEqual({
      type: 'ApprovalMismatch',
      message:
        'The call `t1.1` of the run `run-1` has arguments other than those of the decision (h1, not h2). Look at it again.',
      data: { id: 'run-1', toolUseId: 't1.1', expected: 'h1', given: 'h2' },
    });
  });

  test('a person who may not decide is told who may', () => {
    const deciders = ['bob', 'role:finance'];
    expect(refused([waits('t1.1', { deciders })], { roles: ['sales'] })).toEqual({
      type: 'NotADecider',
      message:
        '`ann`, with the roles `sales`, may not decide on the call `t1.1` of the run `run-1`; the deciders are `bob`, `role:finance`.',
      data: { id: 'run-1', toolUseId: 't1.1', by: 'ann', roles: ['sales'], deciders },
    });
    expect(refused([waits('t1.1', { deciders })], {})).toMatchObject({
      message: expect.stringMatching(/^`ann` may not decide on the call `t1\.1`/),
    });
  });
});
