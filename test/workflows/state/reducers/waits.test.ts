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

/** The facts of the last input. */
const factsOf = (...inputs: StepInput[]) => {
  const last = inputs.at(-1);
  const { state } = fold(run(), ...inputs.slice(0, -1));
  return last === undefined ? [] : fold(state, last).facts;
};

describe('people who are asked', () => {
  it('are told the arguments of each call, and what else is known', () => {
    const more = { deciders: ['ann'], expiresAt: 9, repeats: 't1.1', grantsUnread: true as const };
    expect(factsOf({ type: 'approvalsAsked', asked: [ask('t2.2', more), ask('t2.1')] })).toStrictEqual([
      { type: 'approval.requested', ...ship, input: { to: 'bob' }, hash: 'h', ...more },
      { type: 'approval.requested', ...pay, input: { to: 'ann' }, hash: 'h' },
    ]);
    expect(factsOf({ type: 'approvalsAsked', asked: [] })).toEqual([]);
  });

  it('are others after an escalation, and no one after the expiry', () => {
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
  ])('must have been asked before anything %s', (_, input) => {
    expect(() => fold(run(), input)).toThrow('t2.1 was not asked about');
  });

  it('are not asked about a call that does not exist', () => {
    expect(() => fold(run(), { type: 'approvalsAsked', asked: [ask('t9.9')] })).toThrow('t9.9 is not awaited');
  });
});

describe('a decision', () => {
  const decided = (more: object): StepInput => ({
    type: 'decided',
    toolUseId: 't2.1',
    decided: { decision: 'approve', by: 'ann', at: 5, ...more },
  });

  it('becomes a fact and is remembered with its sender and its time', () => {
    const known = { 't1.1': { decision: 'deny' as const, by: 'bob', at: 1 } };
    const { state, facts } = fold(run({ decided: known, grants: [grant({ tool: 'ship' })] }), asked, decided({}));
    expect(facts[1]).toStrictEqual({ type: 'approval.decided', ...pay, decision: 'approve', by: 'ann' });
    expect(state.decided).toStrictEqual({ ...known, 't2.1': { decision: 'approve', by: 'ann', at: 5 } });
    expect(state.grants).toStrictEqual([grant({ tool: 'ship' })]);
  });

  it('becomes a fact with the comment, its duration, and the edited arguments', () => {
    const edit = { input: { to: 'eve' }, hash: 'h2', key: 'by:eve' };
    const more = { decision: 'edit', comment: 'eve it is', remember: 'run', edit };
    const { state, facts } = fold(run(), asked, decided(more));
    expect(facts[1]).toStrictEqual({
      ...{ type: 'approval.decided', ...pay, decision: 'edit', by: 'ann' },
      ...{ comment: 'eve it is', remember: 'run', input: { to: 'eve' } },
    });
    // It holds for calls like the edited one.
    expect(state.grants).toStrictEqual([grant({ key: 'by:eve', comment: 'eve it is' })]);
  });

  it.each(['run', 'agent'] as const)('remembered for the %s holds for later calls, allowed or not', (remember) => {
    const grantsAfter = (more: object) => fold(run(), asked, decided({ remember, ...more })).state.grants;
    expect(grantsAfter({})).toStrictEqual([grant()]);
    expect(grantsAfter({ decision: 'deny', comment: 'no' })).toStrictEqual([grant({ allowed: false, comment: 'no' })]);
    expect(grantsAfter({ remember: 'once' })).toEqual([]);
  });

  it('that was remembered answers in place of a person, who is not asked', () => {
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

  it('is what a decision means for later calls, even without a name', () => {
    expect(grantOf(state, 't2.1', { ...decision, by: 'ann' })).toStrictEqual(grant());
    expect(grantOf(state, 't2.1', decision)).toStrictEqual(grant({ by: '' }));
    expect(grantOf(state, 't2.1', { decision: 'approve', by: 'ann', at: 5 })).toBeUndefined();
  });

  it('is nothing for a call without an approval request', () => {
    expect(grantOf(state, 't2.2', decision)).toBeUndefined();
    expect(grantOf(state, 't9.9', decision)).toBeUndefined();
  });
});

describe('decisions that are remembered', () => {
  it('replace earlier ones about the same thing, and no others', () => {
    const grants = [grant(), grant({ key: 'by:y' }), grant({ tool: 'ship' })];
    const more = [grant({ allowed: false, at: 9 }), grant({ tool: 'ship', key: 'by:z' })];
    expect(fold(run({ grants }), { type: 'granted', grants: more })).toStrictEqual({
      state: run({ grants: [...grants.slice(1), ...more] }),
      facts: [],
    });
  });

  it('and could not be kept for other runs become facts, each with its tool', () => {
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

  it('that was called is told with its kind, its reference and its expiry', () => {
    const told = { type: 'service.called', ...pay, kind: 'agent', ref: 'run-1/t2.1' };
    expect(factsOf(called)).toStrictEqual([told]);
    expect(factsOf({ ...called, service: { ...service, expiresAt: 9 } })).toStrictEqual([{ ...told, expiresAt: 9 }]);
    expect(() => fold(run(), { ...called, toolUseId: 't9.9' })).toThrow('t9.9 is not awaited');
  });

  it('that answered becomes a fact with the event and its cost, without its data', () => {
    const answered = (answer: object): StepInput => ({ type: 'serviceAnswered', toolUseId: 't2.1', answer, at: 6 });
    const answer = { type: 'evt.done', data: { large: true }, executionUnits: 4 };
    const told = { type: 'service.answered', ...pay };
    expect(factsOf(called, answered(answer))).toStrictEqual([{ ...told, event: 'evt.done', executionUnits: 4 }]);
    expect(factsOf(called, answered({ error: 'no' }))).toStrictEqual([told]);
  });

  it.each(['t2.2', 't9.9'])('that %s did not call cannot answer it', (toolUseId) => {
    const { state } = fold(run(), called);
    expect(fold(state, { type: 'serviceAnswered', toolUseId, answer: { data: 1 }, at: 6 })).toEqual({
      state,
      facts: [],
    });
  });

  it('whose reply cannot be delivered is told', () => {
    expect(fold(run(), { type: 'replyFailed', to: 'orders', problem: 'gone' })).toStrictEqual({
      state: run(),
      facts: [{ type: 'reply.failed', to: 'orders', problem: 'gone' }],
    });
  });
});

describe('an ignored message', () => {
  it('is counted by reason, and told with its subject', () => {
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

  it('is counted by the name of the signal, even one that every object has as a property', () => {
    expect(namesAfter(unknown('go'), unknown('constructor'), unknown('go'))).toStrictEqual({ go: 2, constructor: 1 });
  });

  it('does not fill the state: only the first 50 names are counted', () => {
    const fifty = Array.from({ length: 50 }, (_, i) => unknown(`s${i}`));
    expect(Object.keys(namesAfter(...fifty))).toHaveLength(50);
    const names = namesAfter(...fifty, unknown('s50'), unknown('s3'));
    expect([Object.keys(names).length, names.s3, names.s50]).toEqual([50, 2, undefined]);
  });
});
