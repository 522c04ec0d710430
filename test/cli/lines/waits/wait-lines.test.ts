import os from 'node:os';
import type { FactBody } from '../../../../agent/protocol/facts/fact';
import { shellWord } from '../../../../agent/values/shell-word';
import { waitCommand } from '../../../../cli/lines/waits/wait-line';
import { waitRows } from '../../../../cli/show/waits';
import { answeredLine } from '../../../../cli/waits/complete';
import { answeredBy } from '../../../../cli/waits/complete-outcome';
import { decidedLine, deciderOf } from '../../../../cli/waits/decide';
import { grantLines, revokedLine } from '../../../../cli/waits/grants';
import { factOf, told } from '../told-fact';

const at = Date.UTC(2026, 0, 2);
const call = { turn: 1, toolUseId: 't1.1', name: 'refund' };
const asked: FactBody = { type: 'approval.requested', ...call, input: { amount: 90 }, hash: 'h' };

describe('the line of a fact about a wait', () => {
  it('says who may decide and until when, before the arguments', () => {
    expect(told(asked)).toBe('t1.1 refund waits for anybody: {"amount":90}');
    expect(told({ ...asked, deciders: ['ann', 'role:finance'], expiresAt: at, repeats: 't0.1' })).toBe(
      't1.1 refund waits for ann or role:finance until 2026-01-02T00:00:00.000Z, repeats t0.1, whose outcome is unknown: {"amount":90}',
    );
    expect(told({ ...asked, grantsUnread: true })).toBe(
      't1.1 refund waits for anybody, remembered decisions could not be read: {"amount":90}',
    );
  });

  it('says what was decided, by whom, for how long, and why', () => {
    const decided = { type: 'approval.decided', ...call, by: 'ann' } as const;
    expect(told({ ...decided, decision: 'approve', remember: 'run' })).toBe(
      't1.1 refund: approved by ann, for the rest of the run',
    );
    expect(told({ ...decided, decision: 'deny', comment: 'too much' })).toBe('t1.1 refund: denied by ann, "too much"');
    expect(told({ ...decided, decision: 'edit', input: { amount: 5 } })).toBe(
      't1.1 refund: approved with other arguments by ann {"amount":5}',
    );
    expect(told({ type: 'approval.remembered', ...call, allowed: false, by: 'ann', at })).toBe(
      't1.1 refund: denied as ann decided at 2026-01-02T00:00:00.000Z',
    );
    const lost = { type: 'approval.unremembered', ...call, key: '', allowed: false, by: 'ann' } as const;
    expect(told({ ...lost, problem: 'too many signals' })).toBe(
      't1.1 refund: the denial by ann is not remembered for other runs: too many signals',
    );
    expect(told({ type: 'approval.escalated', ...call, deciders: ['boss'], expiresAt: at })).toBe(
      't1.1 refund waits for boss until 2026-01-02T00:00:00.000Z: no decision in time',
    );
    expect(told({ type: 'approval.expired', ...call })).toBe('t1.1 refund: no decision in time');
  });

  it('says which service is called and the outcome', () => {
    expect(told({ type: 'service.called', ...call, kind: 'agent', ref: 'mail-1/t1.1' })).toBe(
      't1.1 refund waits for an answer (agent, the run mail-1/t1.1)',
    );
    expect(told({ type: 'service.called', ...call, kind: 'signal', ref: 'x', expiresAt: at })).toBe(
      't1.1 refund waits for an answer until 2026-01-02T00:00:00.000Z (signal)',
    );
    expect(told({ type: 'service.answered', ...call, event: 'evt.done', executionUnits: 3 })).toBe(
      't1.1 refund: evt.done, 3 execution units',
    );
    expect(told({ type: 'message.ignored', why: 'LateAnswer', toolUseId: 't1.1', detail: 'x' })).toBe(
      't1.1: LateAnswer, x',
    );
    expect(told({ type: 'reply.failed', to: 'shop', problem: 'no outlet' })).toBe('to shop: no outlet');
  });

  it('does not control the terminal', () => {
    expect(told({ ...asked, input: { note: '\u009b31m' } })).toContain('\\u009b31m');
  });
});

describe('the command that ends a wait', () => {
  it('names the run, the call and one decider', () => {
    expect(waitCommand('mail-1', asked)).toBe('holdfast approve mail-1 t1.1');
    expect(waitCommand('mail-1', { ...asked, deciders: ['ann'] })).toBe('holdfast approve mail-1 t1.1 --by ann');
    expect(waitCommand('mail-1', { ...asked, deciders: ['role:finance', 'ann'] })).toBe(
      'holdfast approve mail-1 t1.1 --role finance',
    );
  });

  it('answers a service of kind `signal`; others answer by themselves', () => {
    const called = { type: 'service.called', ...call, ref: 'x' } as const;
    expect(waitCommand('mail-1', { ...called, kind: 'signal' })).toBe("holdfast complete mail-1 t1.1 --data '{…}'");
    for (const kind of ['child', 'agent', 'event'] as const) {
      expect(waitCommand('mail-1', { ...called, kind })).toBeUndefined();
    }
  });

  it('is safe to copy, whatever the id of the run', () => {
    expect(waitCommand('x; rm -rf ~', asked)).toBe("holdfast approve 'x; rm -rf ~' t1.1");
    expect(shellWord("it's")).toBe("'it'\\''s'");
    expect(shellWord('mail-1/t1.1')).toBe('mail-1/t1.1');
  });

  it('is below each wait of a run that is shown, including those of agents that work for it', () => {
    const approval = { agent: 'a.b', toolUseId: 't1.1', tool: 'refund', input: {}, hash: 'h', requestedAt: at };
    const service = { ...approval, ref: 'x', since: at };
    const error = { type: 'ModelUnavailable', message: 'gone' };
    const away = { id: 'mail-1/t1.2', agent: 'a.b', model: 'house', since: at, failures: 2, error, nextAt: at };
    const rows = waitRows('mail-1', {
      questions: [],
      approvals: [{ ...approval, id: 'mail-1/t1.2', deciders: ['ann'], expiresAt: at }],
      services: [
        { ...service, id: 'mail-1', toolUseId: 't1.3', kind: 'signal' },
        { ...service, id: 'mail-1', toolUseId: 't1.2', kind: 'agent' },
      ],
      models: [{ ...away, id: 'mail-1' }, away],
    });
    expect(rows).toEqual([
      ['waits', 't1.1 refund of mail-1/t1.2 for ann until 2026-01-02T00:00:00.000Z'],
      ['', '  holdfast approve mail-1/t1.2 t1.1 --by ann'],
      ['', 't1.3 refund for an answer since 2026-01-02T00:00:00.000Z'],
      ['', "  holdfast complete mail-1 t1.3 --data '{…}'"],
      ['', 't1.2 refund for an answer since 2026-01-02T00:00:00.000Z'],
      [
        '',
        'The agent `a.b` works for this run, in the run `mail-1/t1.2`, and is held up. ' +
          'The model `house` has given no answer since 2026-01-02T00:00:00.000Z. ' +
          'Holdfast asks it again at 2026-01-02T00:00:00.000Z. ' +
          'It has failed 2 times in a row, the last time with ModelUnavailable: gone',
      ],
      ['', '  holdfast retry mail-1/t1.2'],
      ['', "  holdfast switch-model mail-1/t1.2 '…'"],
    ]);
  });
});

describe('one line about what happened', () => {
  it('says what was decided', () => {
    expect(decidedLine({ decision: 'approve', by: 'ann', at, remember: 'agent' }, { id: 'r', toolUseId: 't1.1' })).toBe(
      'approved t1.1 of r by ann, for all runs of the agent with the same owner',
    );
    const denied = { decision: 'deny', by: 'ann', at, comment: 'too\nmuch' } as const;
    expect(decidedLine(denied, { id: 'r', toolUseId: 't1.1', tool: 'refund' })).toBe(
      'denied t1.1 refund of r by ann: too much',
    );
  });

  it('names the decider, or says that there is none', () => {
    expect(deciderOf({}, { USER: 'ann' })).toEqual({ by: 'ann' });
    expect(deciderOf({ by: 'bob', role: ['finance'] }, { USER: 'ann' })).toEqual({ by: 'bob', roles: ['finance'] });
    expect(deciderOf({}, { USERNAME: 'ann' })).toEqual({ by: 'ann' });
    // In a container the environment often does not name the user, and the system does.
    const user = jest.spyOn(os, 'userInfo').mockReturnValue({ username: 'node' } as os.UserInfo<string>);
    expect(deciderOf({}, {})).toEqual({ by: 'node' });
    user.mockImplementation(() => {
      throw new Error('uv_os_get_passwd returned ENOENT');
    });
    expect(() => deciderOf({}, {})).toThrow('`--by <name>`');
    user.mockRestore();
  });

  it('says what a run did with an answer', () => {
    const about = { id: 'r', toolUseId: 't1.1' };
    const ignored = (why: string, toolUseId?: string) =>
      answeredBy(factOf({ type: 'message.ignored', why, ...(toolUseId === undefined ? {} : { toolUseId }) }), 't1.1');
    expect(answeredBy(factOf({ type: 'service.answered', ...call }), 't1.1')).toEqual({
      type: 'taken',
      name: 'refund',
    });
    expect(answeredBy(factOf({ type: 'service.answered', ...call }), 't1.2')).toBeUndefined();
    expect(ignored('LateAnswer', 't1.2')).toBeUndefined();
    expect(answeredLine(about, ignored('LateAnswer', 't1.1') ?? { type: 'sent' })).toMatchObject({
      taken: false,
      line: expect.stringContaining('it no longer waits for this call'),
    });
    expect(answeredLine(about, ignored('Strange') ?? { type: 'sent' }).line).toContain('did not take it: Strange.');
    expect(answeredLine(about, { type: 'sent' })).toMatchObject({ taken: true, line: expect.stringContaining('yet') });
  });

  it('lists what is remembered, and says what was forgotten', () => {
    expect(grantLines('a.b', [])).toEqual(['No decision is remembered for all runs of a.b.']);
    const grant = { tool: 'refund', key: '', allowed: false, by: 'ann', at };
    expect(grantLines('a.b', [grant, { ...grant, key: 'large', owner: 'bob', comment: 'no' }]).slice(1)).toEqual([
      'refund  all    no owner  denied    ann  2026-01-02T00:00:00.000Z',
      'refund  large  bob       denied    ann  2026-01-02T00:00:00.000Z  no',
    ]);
    expect(revokedLine('a.b', { tool: 'refund', key: 'large', owner: 'bob' }, 1)).toBe(
      'forgot the decision on refund (large) of a.b, for runs of bob: a person is asked again',
    );
    expect(revokedLine('a.b', { tool: 'refund' }, 0)).toMatch(/^nothing to forget/);
  });
});
