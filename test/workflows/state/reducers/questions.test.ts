import type { QuestionState } from '../../../../agent/conversation/questions';
import { step } from '../../../../workflows/state/reduce';
import { batchCall, runState } from '../../state-data';

const question = (questionId: string, more: Partial<QuestionState> = {}): QuestionState => ({
  questionId,
  question: 'Why?',
  askedAt: 5,
  ...more,
});
const other = batchCall({ toolUseId: 't1.2', name: 'look' });
const about = { turn: 1, toolUseId: 't1.1', name: 'ask' };

/** A run one of whose calls has asked these questions. */
const asking = (...questions: QuestionState[]) =>
  runState([], { turn: 1, batch: [batchCall(questions.length === 0 ? {} : { questions }), other] });

describe('questions of a call', () => {
  it('are kept, and told without their time, which the fact already has', () => {
    const more = { suggestions: ['so'], schema: { type: 'string' }, url: 'https://a.example', expiresAt: 9 };
    const asked = [question('t1.1', more), question('t1.1/2')];
    expect(step(asking(), { type: 'questionsAsked', toolUseId: 't1.1', questions: asked })).toStrictEqual({
      state: asking(...asked),
      facts: [
        { type: 'question.asked', ...about, questionId: 't1.1', question: 'Why?', ...more },
        { type: 'question.asked', ...about, questionId: 't1.1/2', question: 'Why?' },
      ],
    });
  });

  it('come after those of earlier rounds, which are not told again', () => {
    const { state, facts } = step(asking(question('t1.1')), {
      type: 'questionsAsked',
      toolUseId: 't1.1',
      questions: [question('t1.1/2')],
    });
    expect(state).toStrictEqual(asking(question('t1.1'), question('t1.1/2')));
    expect(facts.map((fact) => 'questionId' in fact && fact.questionId)).toEqual(['t1.1/2']);
  });
});

describe('a reply', () => {
  const before = asking(question('t1.1'), question('t1.1/2'));

  it('ends only its own question, and is told with the answer and its sender', () => {
    const reply = { action: 'answered' as const, data: { why: 'so' }, by: 'ann', at: 8 };
    const replied = { 't0.1': { action: 'expired' as const, at: 1 } };
    expect(
      step({ ...before, replied }, { type: 'replied', toolUseId: 't1.1', questionId: 't1.1/2', reply }),
    ).toStrictEqual({
      state: {
        ...asking(question('t1.1'), question('t1.1/2', { reply })),
        replied: { ...replied, 't1.1/2': { action: 'answered', at: 8, by: 'ann' } },
      },
      facts: [{ type: 'question.answered', ...about, questionId: 't1.1/2', answer: { why: 'so' }, by: 'ann' }],
    });
  });

  it.each(['declined', 'expired', 'withdrawn'] as const)('without an answer is told as %s', (action) => {
    const reply = { action, at: 8 };
    const { state, facts } = step(before, { type: 'replied', toolUseId: 't1.1', questionId: 't1.1', reply });
    expect(state).toStrictEqual({
      ...asking(question('t1.1', { reply }), question('t1.1/2')),
      replied: { 't1.1': { action, at: 8 } },
    });
    expect(facts).toStrictEqual([{ type: `question.${action}`, ...about, questionId: 't1.1' }]);
  });
});

test('a call that is not in the batch asks nothing, and gets no reply', () => {
  const reply = { action: 'answered' as const, at: 8 };
  const wrong = { toolUseId: 't9.9', questionId: 't9.9' };
  expect(() => step(asking(), { type: 'questionsAsked', toolUseId: 't9.9', questions: [] })).toThrow(
    't9.9 is not awaited',
  );
  expect(() => step(asking(), { type: 'replied', ...wrong, reply })).toThrow('t9.9 is not awaited');
});
