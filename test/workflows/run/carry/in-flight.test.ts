import { DECISIONS } from '../../../../agent/protocol/decisions';
import type { AgentState } from '../../../../agent/state/state';
import { carry } from '../../../../workflows/run/carry/carry';
import { batchCall, runState } from '../../state-data';
import { QUIET } from './carried-data';
import { TOOLS } from './random-run';

/** A run that began with this version of decisions. */
function deciding(state: AgentState, decisions: number): AgentState {
  return { ...state, manifest: { ...state.manifest, decisions } as NonNullable<AgentState['manifest']> };
}

/** A run with these calls in its batch, `t1.1` first. */
function acting(...calls: Parameters<typeof batchCall>[0][]): AgentState {
  const batch = calls.map((call, i) => batchCall({ toolUseId: `t1.${i + 1}`, name: 'put', ...call }));
  return runState(TOOLS, { batch });
}

const hashed = { hash: 'h', key: '', requestedAt: 1 };
const asked = { ...hashed, status: 'asked' as const };
const decision = { decision: 'approve' as const, by: 'ann', at: 2 };
const question = { questionId: 't1.1', question: 'Why?', askedAt: 1 };
const reply = { action: 'answered' as const, at: 2 };
const sent = { ref: 'r', since: 1, status: 'awaited' as const };
type Call = Parameters<typeof batchCall>[0];
const answered = { status: 'answered' as const, answer: { data: 1 }, answeredAt: 2 };
const outcome = { content: [] };

const waiting = { name: 'pay', approval: asked };

test.each<[string, Call[]]>([
  ['an approval', [waiting]],
  ['a question', [{ name: 'ask_question', questions: [question] }]],
  ['an event', [{ name: 'event', service: { ...sent, kind: 'event' } }]],
  ['a signal', [{ name: 'signal', service: { ...sent, kind: 'signal' } }]],
  ['others, when it has settled', [{ outcome }, { problem: { type: 'UnknownTool', message: 'no' } }, waiting]],
  [
    'others, when its service has answered',
    [{ name: 'child', service: { ...sent, ...answered, kind: 'child' } }, waiting],
  ],
  [
    'its turn',
    [
      { ...waiting, lane: 'pay' },
      { name: 'pay', lane: 'pay' },
    ],
  ],
])('a call that waits for %s is carried', (_, calls) => {
  expect(carry(acting(...calls), QUIET)).toMatchObject({
    type: 'carried',
    carried: { batch: { length: calls.length } },
  });
});

test.each<[string, Call]>([
  ['whose tool is being run', {}],
  ['that was approved', { name: 'pay', approval: { ...hashed, status: 'decided', decision } }],
  ['whose question was answered', { name: 'ask_question', questions: [{ ...question, reply }] }],
  ['in which an MCP server asks a person', { name: 'files.move', questions: [question] }],
  ['that a child works on', { name: 'child', service: { ...sent, kind: 'child' } }],
  ['that another agent works on', { name: 'child', service: { ...sent, kind: 'agent' } }],
])('a call %s delays the carry', (_, call) => {
  const delayed = { type: 'delayed', why: 'inFlight', what: ['t1.1'] };
  expect(carry(acting(call), QUIET)).toEqual(delayed);
  expect(carry(acting(call, { name: 'pay', approval: asked }), QUIET)).toEqual(delayed);
});

test('a batch that is being settled delays the carry, and so does its last check', () => {
  const checked = { name: 'signal', service: { ...sent, ...answered, kind: 'signal' as const } };
  expect(carry(acting({ outcome }, checked), QUIET)).toMatchObject({ why: 'inFlight', what: ['t1.1', 't1.2'] });
  expect(carry(acting({ outcome }), QUIET)).toMatchObject({ why: 'inFlight', what: ['t1.1'] });
});

test('an inverse in progress delays the carry, and one that has ended does not', () => {
  const undoable = (undone: object) => [{ toolUseId: 't1.1', name: 'put', undone: { at: 1, ...undone } }];
  expect(carry(runState(TOOLS, { effects: undoable({}) }), QUIET)).toMatchObject({ what: ['t1.1/undo'] });
  expect(carry(runState(TOOLS, { effects: undoable({ outcome: 'failed' }) }), QUIET).type).toBe('carried');
});

test('work that the state does not show delays as well', () => {
  const inFlight = ['holdfast.callModel'];
  expect(carry(runState(), { ...QUIET, inFlight })).toEqual({ type: 'delayed', why: 'inFlight', what: inFlight });
});

test('a run is carried between its start and its end, but not while it waits for the next call of its model', () => {
  const outage = { since: 1, failures: 1, error: { type: 'ModelUnavailable', message: 'gone' } };
  expect(carry(runState([], { phase: { at: 'starting' } }), QUIET)).toEqual({ type: 'delayed', why: 'starting' });
  const out = (more: object) => runState([], { phase: { at: 'outage', ...outage, ...more } });
  const delayed = { type: 'delayed', why: 'outage' };
  expect(carry(out({ nextAt: 9 }), QUIET)).toEqual(delayed);
  const due = carry(deciding(out({}), DECISIONS), QUIET);
  expect(due).toMatchObject({ type: 'carried', carried: { outage, state: { phase: { at: 'working' } } } });
  // As such a run has decided since it began.
  expect(carry(deciding(out({}), 4), QUIET)).toEqual(delayed);
  expect(carry(runState([], { phase: { at: 'ended', reason: 'completed' } }), QUIET)).toEqual({
    type: 'delayed',
    why: 'ended',
  });
});

test('only calls in progress delay, not those that have settled or wait for their turn', () => {
  const calls = [{ outcome }, { lane: 'put' }, { lane: 'put' }];
  expect(carry(acting(...calls), QUIET)).toMatchObject({ why: 'inFlight', what: ['t1.2'] });
});

test('a call with one of several questions left is carried; a call of an unknown tool delays the carry', () => {
  const questions = [
    { ...question, reply },
    { ...question, questionId: 't1.1/2' },
  ];
  expect(carry(acting({ name: 'ask_question', questions }), QUIET).type).toBe('carried');
  expect(carry(acting({ name: 'gone', questions }), QUIET)).toMatchObject({ why: 'inFlight', what: ['t1.1'] });
});

test('everything that delays is named: calls, then inverses, then what the state does not show', () => {
  const effects = [{ toolUseId: 't0.1', name: 'put', undone: { at: 1 } }];
  const state = { ...acting({}), effects };
  expect(carry(state, { ...QUIET, inFlight: ['model'] })).toEqual({
    type: 'delayed',
    why: 'inFlight',
    what: ['t1.1', 't0.1/undo', 'model'],
  });
});

test.each(['pin', 'manifest'] as const)('a run that has not pinned its %s yet is still starting', (part) => {
  const { [part]: _, ...state } = runState();
  expect(carry(state, QUIET)).toEqual({ type: 'delayed', why: 'starting' });
  expect(carry({ ...state, phase: { at: 'ended', reason: 'failed' } }, QUIET)).toEqual({
    type: 'delayed',
    why: 'ended',
  });
});
