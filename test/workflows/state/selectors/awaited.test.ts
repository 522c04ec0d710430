import type { Phase } from '../../../../agent/state/phase';
import type { AgentState } from '../../../../agent/state/state';
import type { StepInput } from '../../../../workflows/state/reduce';
import { awaitedOf } from '../../../../workflows/state/selectors/awaited';
import { isConversation } from '../../../../workflows/state/selectors/mode';
import { modelChain, modelInUse, modelPatience } from '../../../../workflows/state/selectors/model-in-use';
import { isDescribed } from '../../../../workflows/state/selectors/phase';
import { openQuestions } from '../../../../workflows/state/selectors/questions';
import { batchCall, runState } from '../../state-data';
import { fold, withManifest } from '../fold';

const approve: StepInput = {
  type: 'approvalsAsked',
  asked: [{ toolUseId: 't1.1', hash: 'h', key: '', requestedAt: 1 }],
};
const question = { questionId: 't1.2', question: 'Why?', askedAt: 1 };
const ask: StepInput = { type: 'questionsAsked', toolUseId: 't1.2', questions: [question] };
const call = (kind: 'child' | 'agent' | 'event' | 'signal'): StepInput => ({
  type: 'serviceCalled',
  toolUseId: 't1.3',
  service: { ref: 'r', kind, since: 1 },
});
const batch = [1, 2, 3].map((n) => batchCall({ toolUseId: `t1.${n}`, name: `tool_${n}` }));
const having = (more: Partial<AgentState>, ...inputs: StepInput[]) =>
  fold(runState([], { batch, ...more }), ...inputs).state;
const decided = { decision: 'approve' as const, by: 'ann', at: 2 };
const reply = { action: 'answered' as const, at: 2 };
const outcome = { content: [] };

test.each<[string | undefined, string, AgentState]>([
  [undefined, 'only works', having({})],
  ['approval', 'asks whether a call may run, beside other waits', having({}, call('signal'), ask, approve)],
  ['question', 'asks a person something, beside a service', having({}, call('signal'), ask)],
  ['answer', 'has sent an event', having({}, call('event'))],
  ['answer', 'waits for a signal', having({}, call('signal'))],
  [undefined, 'waits for a child, which shows its own wait', having({}, call('child'))],
  [undefined, 'waits for another agent', having({}, call('agent'))],
  [undefined, 'has the decision', having({}, approve, { type: 'decided', toolUseId: 't1.1', decided })],
  [undefined, 'has the reply', having({}, ask, { type: 'replied', toolUseId: 't1.2', questionId: 't1.2', reply })],
  [
    undefined,
    'has the answer',
    having({}, call('signal'), { type: 'serviceAnswered', toolUseId: 't1.3', answer: {}, at: 2 }),
  ],
  [undefined, 'asks for a call that has settled', having({}, ask, { type: 'settled', toolUseId: 't1.2', outcome })],
  ['message', 'is a conversation between two exchanges', having({ phase: { at: 'idle' }, batch: [] })],
  [
    undefined,
    'has a waiting message',
    having({ phase: { at: 'idle' }, batch: [], inbox: [{ parts: [], exchange: 1, at: 1 }] }),
  ],
  [undefined, 'has ended', having({ phase: { at: 'ended', reason: 'cancelled' } }, approve)],
])('a run shows as awaited: %s, when it %s', (awaited, _, state) => {
  expect(awaitedOf(state)).toBe(awaited);
});

test('each call of a batch is looked at once: an answer can have thousands, and each that ends asks', () => {
  let looks = 0;
  const counted = batch.map((one) => ({
    ...one,
    get status() {
      looks++;
      return one.status;
    },
  }));
  expect(awaitedOf(having({ batch: counted as AgentState['batch'] }))).toBeUndefined();
  expect(looks).toBe(batch.length);
});

test('questions are open, with the calls that ask them, until they are answered or their call has settled', () => {
  const more = [question, { ...question, questionId: 't1.2/2' }];
  const asked = having({}, { ...ask, questions: more });
  const about = { toolUseId: 't1.2', name: 'tool_2' };
  expect(openQuestions(asked)).toEqual(more.map((one) => ({ ...about, question: one })));
  const replied = fold(asked, { type: 'replied', toolUseId: 't1.2', questionId: 't1.2', reply }).state;
  expect(openQuestions(replied)).toEqual([{ ...about, question: more[1] }]);
  expect(openQuestions(fold(asked, { type: 'settled', toolUseId: 't1.2', outcome }).state)).toEqual([]);
});

test('a run is a conversation when its manifest says so', () => {
  const { manifest: _, ...unknown } = runState();
  expect(
    [withManifest({ mode: 'conversation' }), runState(), unknown].map((state: AgentState) => isConversation(state)),
  ).toEqual([true, false, false]);
});

test('a run takes messages when it knows its prompt, or will never know it', () => {
  const phases: Phase[] = [{ at: 'working' }, { at: 'starting' }, { at: 'ended', reason: 'failed' }];
  expect(phases.map((phase) => isDescribed({ phase }))).toEqual([true, false, true]);
});

test('the model in use is the one of the chain that the run has reached', () => {
  const state = withManifest({ models: ['big', 'small'] });
  const { manifest: _, ...unknown } = state;
  expect([state, { ...state, model: 1 }, unknown].map(modelInUse)).toEqual(['big', 'small', 'default']);
});

describe('a model that a person chose', () => {
  const state = withManifest({ models: ['big', 'small'], modelPatience: { big: 7, small: 9 } });
  const first = { ...state, chosen: { alias: 'house', at: 0 } };
  const last = { ...state, model: 1, chosen: { alias: 'house', at: 1 } };

  test('is in its place in the chain', () => {
    expect([first, { ...first, model: 1 }, last].map(modelInUse)).toEqual(['house', 'small', 'house']);
    expect([state, first, last].map(modelChain)).toEqual([
      ['big', 'small'],
      ['house', 'small'],
      ['big', 'house'],
    ]);
  });

  test('is waited for as long as its alias says, else as long as any model with nothing or something behind it', () => {
    expect([state, { ...state, model: 1 }, { ...first, model: 1 }].map(modelPatience)).toEqual([7, 9, 9]);
    expect(modelPatience({ ...first, chosen: { ...first.chosen, patience: 5 } })).toBe(5);
    expect([first, last].map(modelPatience)).toEqual([120_000, 86_400_000]);
    expect(modelPatience({ ...state, chosen: { alias: 'big', at: 0, patience: 5 } })).toBe(7);
  });
});
