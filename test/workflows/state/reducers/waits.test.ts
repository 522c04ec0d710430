import type { Grant } from '../../../../agent/approvals/approval';
import type { AgentState } from '../../../../agent/state/state';
import type { StepInput } from '../../../../workflows/state/reduce';
import { grantOf } from '../../../../workflows/state/reducers/waits';
import { batchCall, runState } from '../../state-data';
import { fold } from '../fold';

const calls = [
  batchCall({ toolUseId: 't2.1', name: 'pay', input: { to: 'ann' } }),
  batchCall({ toolUseId: 't2.2', name: 'ship', input: { to: 'bob' } }),
];
const run = (more: Partial<AgentState> = {}) => runState([], { turn: 2, batch: calls, ...more });
const pay = { turn: 2, toolUseId: 't2.1', name: 'pay' };
const ship = { turn: 2, toolUseId: 't2.2', name: 'ship' };
const ask = (toolUseId: string, more: object = {}) => ({ toolUseId, hash: 'h', key: 'by:x', requestedAt: 1, ...more });
const asked: StepInput = { type: 'approvalsAsked', asked: [ask('t2.1')] };
const grant = (more: Partial<Grant> = {}): Grant => ({
  ...{ tool: 'pay', key: 'by:x', allowed: true, by: 'ann', at: 5 },
  ...more,
});

/** What is told of the last input. */
const factsOf = (...inputs: StepInput[]) => {
  const last = inputs.at(-1);
  const { state } = fold(run(), ...inputs.slice(0, -1));
  return last === undefined ? [] : fold(state, last).facts;
};

describe('persons who are asked', () => {
  it('are told the arguments of each call, and what else there is to know', () => {
    const more = { deciders: ['ann'], expiresAt: 9, repeats: 't1.1', grantsUnread: true as const };
    expect(factsOf({ type: 'approvalsAsked', asked: [ask('t2.2', more), ask('t2.1')] })).toStrictEqual([
      { type: 'approval.requested', ...ship, input: { to: 'bob' }, hash: 'h', ...more },
      { type: 'approval.requested', ...pay, input: { to: 'ann' }, hash: 'h' },
    ]);
    expect(factsOf({ type: 'approvalsAsked', asked: [] })).toEqual([]);
  });

  it('are others after a while, and nobody in the end', () => {
    const escalated: StepInput = { type: 'escalated', toolUseId: 't2.1', deciders: ['role:boss'], expiresAt: 99 };
    expect(factsOf(asked, escalated)).toStrictEqual([
      { type: 'approval.escalated', ...pay, deciders: ['role:boss'], expiresAt: 99 },
    ]);
    const decided = { 't1.1': { decision: 'deny' as const, by: 'bob', at: 1 } };
    const expired = fold(run({ decided }), asked, { type: 'approvalExpired', toolUseId: 't2.1', at: 7 });
    expect(expired.facts[1]).toStrictEqual({ type: 'approval.expired', ...pay });
    expect(expired.state.decided).toStrictEqual({ ...decided, 't2.1': { decision: 'expired', at: 7 } });
  });

  it.each<[string, StepInput]>([
    ['decides', { type: 'decided', toolUseId: 't2.1', decided: { decision: 'approve', by: 'ann', at: 5 } }],
    ['escalates', { type: 'escalated', toolUseId: 't2.1', deciders: [], expiresAt: 9 }],
    ['expires', { type: 'approvalExpired', toolUseId: 't2.1', at: 5 }],
  ])('were asked before anything %s', (_, input) => {
    expect(() => fold(run(), input)).toThrow('t2.1 was not asked about');
  });

  it('are not asked about a call that is not there', () => {
    expect(() => fold(run(), { type: 'approvalsAsked', asked: [ask('t9.9')] })).toThrow('t9.9 is not awaited');
  });
});

describe('a decision', () => {
  const decided = (more: object): StepInput => ({
    type: 'decided',
    toolUseId: 't2.1',
    decided: { decision: 'approve', by: 'ann', at: 5, ...more },
  });

  it('is told and remembered with who decided and when', () => {
    const known = { 't1.1': { decision: 'deny' as const, by: 'bob', at: 1 } };
    const { state, facts } = fold(run({ decided: known, grants: [grant({ tool: 'ship' })] }), asked, decided({}));
    expect(facts[1]).toStrictEqual({ type: 'approval.decided', ...pay, decision: 'approve', by: 'ann' });
    expect(state.decided).toStrictEqual({ ...known, 't2.1': { decision: 'approve', by: 'ann', at: 5 } });
    expect(state.grants).toStrictEqual([grant({ tool: 'ship' })]);
  });

  it('is told with the comment, how long it holds, and the arguments that run instead', () => {
    const edit = { input: { to: 'eve' }, hash: 'h2', key: 'by:eve' };
    const more = { decision: 'edit', comment: 'eve it is', remember: 'run', edit };
    const { state, facts } = fold(run(), asked, decided(more));
    expect(facts[1]).toStrictEqual({
      ...{ type: 'approval.decided', ...pay, decision: 'edit', by: 'ann' },
      ...{ comment: 'eve it is', remember: 'run', input: { to: 'eve' } },
    });
    // It holds for calls like the one that runs.
    expect(state.grants).toStrictEqual([grant({ key: 'by:eve', comment: 'eve it is' })]);
  });

  it.each(['run', 'agent'] as const)('that holds for the %s holds for later calls, allowed or not', (remember) => {
    const grantsAfter = (more: object) => fold(run(), asked, decided({ remember, ...more })).state.grants;
    expect(grantsAfter({})).toStrictEqual([grant()]);
    expect(grantsAfter({ decision: 'deny', comment: 'no' })).toStrictEqual([grant({ allowed: false, comment: 'no' })]);
    expect(grantsAfter({ remember: 'once' })).toEqual([]);
  });

  it('that was remembered answers for the person, who is not asked', () => {
    const remembered = (given: Grant): StepInput => ({
      type: 'remembered',
      toolUseId: 't2.1',
      hash: 'h',
      grant: given,
      at: 8,
    });
    const told = { type: 'approval.remembered', ...pay, by: 'ann', at: 5 };
    expect(factsOf(remembered(grant()))).toStrictEqual([{ ...told, allowed: true }]);
    expect(factsOf(remembered(grant({ allowed: false, comment: 'no' })))).toStrictEqual([{ ...told, allowed: false }]);
    expect(fold(run(), remembered(grant())).state.decided).toEqual({});
  });
});

describe('grantOf', () => {
  const decision = { decision: 'approve' as const, at: 5, remember: 'agent' as const };
  const { state } = fold(run(), asked);

  it('is what a decision says of later calls, also where nobody is named', () => {
    expect(grantOf(state, 't2.1', { ...decision, by: 'ann' })).toStrictEqual(grant());
    expect(grantOf(state, 't2.1', decision)).toStrictEqual(grant({ by: '' }));
    expect(grantOf(state, 't2.1', { decision: 'approve', by: 'ann', at: 5 })).toBeUndefined();
  });

  it('is nothing for a call that nobody was asked about', () => {
    expect(grantOf(state, 't2.2', decision)).toBeUndefined();
    expect(grantOf(state, 't9.9', decision)).toBeUndefined();
  });
});

describe('decisions that are remembered', () => {
  it('replace those before about the same thing, and no others', () => {
    const grants = [grant(), grant({ key: 'by:y' }), grant({ tool: 'ship' })];
    const more = [grant({ allowed: false, at: 9 }), grant({ tool: 'ship', key: 'by:z' })];
    expect(fold(run({ grants }), { type: 'granted', grants: more })).toStrictEqual({
      state: run({ grants: [...grants.slice(1), ...more] }),
      facts: [],
    });
  });

  it('and could not be kept for other runs are told, each with its tool', () => {
    const grants = [grant(), grant({ tool: 'ship', key: '', allowed: false, by: 'bob' })];
    const about = { type: 'approval.unremembered', turn: 2, toolUseId: 't2.1', problem: 'gone' };
    expect(fold(run(), { type: 'notKept', toolUseId: 't2.1', grants, problem: 'gone' })).toStrictEqual({
      state: run(),
      facts: [
        { ...about, name: 'pay', key: 'by:x', allowed: true, by: 'ann' },
        { ...about, name: 'ship', key: '', allowed: false, by: 'bob' },
      ],
    });
  });
});

describe('a service', () => {
  const service = { ref: 'run-1/t2.1', kind: 'agent' as const, since: 3 };
  const called: StepInput = { type: 'serviceCalled', toolUseId: 't2.1', service };

  it('that was called is told by its kind, its reference and how long it has', () => {
    const told = { type: 'service.called', ...pay, kind: 'agent', ref: 'run-1/t2.1' };
    expect(factsOf(called)).toStrictEqual([told]);
    expect(factsOf({ ...called, service: { ...service, expiresAt: 9 } })).toStrictEqual([{ ...told, expiresAt: 9 }]);
    expect(() => fold(run(), { ...called, toolUseId: 't9.9' })).toThrow('t9.9 is not awaited');
  });

  it('that answered is told with the event and its cost, not with its data', () => {
    const answered = (answer: object): StepInput => ({ type: 'serviceAnswered', toolUseId: 't2.1', answer, at: 6 });
    const answer = { type: 'evt.done', data: { large: true }, executionUnits: 4 };
    const told = { type: 'service.answered', ...pay };
    expect(factsOf(called, answered(answer))).toStrictEqual([{ ...told, event: 'evt.done', executionUnits: 4 }]);
    expect(factsOf(called, answered({ error: 'no' }))).toStrictEqual([told]);
  });

  it.each(['t2.2', 't9.9'])('that was not called by %s cannot answer it', (toolUseId) => {
    const { state } = fold(run(), called);
    expect(fold(state, { type: 'serviceAnswered', toolUseId, answer: { data: 1 }, at: 6 })).toEqual({
      state,
      facts: [],
    });
  });

  it('that cannot be given its reply is told', () => {
    expect(fold(run(), { type: 'replyFailed', to: 'orders', problem: 'gone' })).toStrictEqual({
      state: run(),
      facts: [{ type: 'reply.failed', to: 'orders', problem: 'gone' }],
    });
  });
});

describe('what changes nothing', () => {
  it('is counted by why, and told with what it was about', () => {
    const ignored = { RunEnded: 1, Duplicate: 2 };
    expect(
      fold(run({ ignored }), { type: 'ignored', why: 'Duplicate', toolUseId: 't2.1', detail: 'late' }),
    ).toStrictEqual({
      state: run({ ignored: { RunEnded: 1, Duplicate: 3 } }),
      facts: [{ type: 'message.ignored', why: 'Duplicate', toolUseId: 't2.1', detail: 'late' }],
    });
    expect(fold(run(), { type: 'ignored', why: 'RunEnded' })).toStrictEqual({
      state: run({ ignored: { RunEnded: 1 } }),
      facts: [{ type: 'message.ignored', why: 'RunEnded' }],
    });
  });

  const unknown = (signal: string): StepInput => ({ type: 'ignored', why: 'UnknownSignal', signal });
  const namesAfter = (...inputs: StepInput[]) => fold(run(), ...inputs).state.unknownSignals ?? {};

  it('is counted by the name of the signal, also where every object has such a name', () => {
    expect(namesAfter(unknown('go'), unknown('constructor'), unknown('go'))).toStrictEqual({ go: 2, constructor: 1 });
  });

  it('fills no state: the first 50 names are counted', () => {
    const fifty = Array.from({ length: 50 }, (_, i) => unknown(`s${i}`));
    expect(Object.keys(namesAfter(...fifty))).toHaveLength(50);
    const names = namesAfter(...fifty, unknown('s50'), unknown('s3'));
    expect([Object.keys(names).length, names.s3, names.s50]).toEqual([50, 2, undefined]);
  });
});
