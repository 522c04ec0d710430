import fc from 'fast-check';
import type { QuestionOutcome, QuestionState } from '../../../agent/conversation/questions';
import type { InputRequired } from '../../../agent/protocol/calls/tool-call';
import { questionsOf, resumeOf } from '../../../workflows/calls/mcp-input';

const form = (properties: object) => ({ type: 'object', properties }) as NonNullable<QuestionState['schema']>;
const one = form({ n: { type: 'integer' } });
const needs = (...schemas: (QuestionState['schema'] | undefined)[]): InputRequired => ({
  requests: schemas.map((schema, i) => ({
    key: `k${i}`,
    question: `q${i}`,
    ...(schema === undefined ? { url: 'https://a.example' } : { schema }),
  })),
});
const asked = (questionId: string): QuestionState => ({ questionId, question: 'q', askedAt: 0 });
const reply = (action: QuestionOutcome['action'], data?: QuestionOutcome['data']): QuestionOutcome => ({
  action,
  at: 0,
  ...(data === undefined ? {} : { data }),
});

describe('questionsOf', () => {
  it('names the first question of a call after the call and counts the others', () => {
    expect(questionsOf({ toolUseId: 't2.1' }, needs(one, undefined))).toEqual([
      { questionId: 't2.1', question: 'q0', schema: one },
      { questionId: 't2.1/2', question: 'q1', url: 'https://a.example' },
    ]);
  });

  it('counts over all rounds of a call', () => {
    const questions = [asked('t1.1'), asked('t1.1/2')];
    const ids = questionsOf({ toolUseId: 't1.1', questions }, needs(one, one)).map(({ questionId }) => questionId);
    expect(ids).toEqual(['t1.1/3', 't1.1/4']);
  });

  it.each([
    ['a choice', { c: { type: 'string', enum: ['a', 'b'] } }, ['a', 'b']],
    ['a choice with titles', { c: { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }, {}] } }, ['a', 'b']],
    ['yes or no', { c: { type: 'boolean' } }, ['yes', 'no']],
    ['a free text', { c: { type: 'string' } }, undefined],
    ['two fields', { c: { type: 'boolean' }, d: { type: 'boolean' } }, undefined],
    ['no field', {}, undefined],
    ['a field of any kind', { c: true }, undefined],
    ['a choice among values of several types', { c: { enum: [1, 'a', null] } }, ['a']],
    ['invalid titles', { c: { oneOf: ['a', null, { const: 1 }] } }, undefined],
    ['an invalid choice', { c: { enum: 'ab', oneOf: 'ab' } }, undefined],
  ])('suggests what a form with %s allows', (_, properties, suggestions) => {
    const schema = form(properties);
    expect(questionsOf({ toolUseId: 't1.1' }, needs(schema))).toStrictEqual([
      { questionId: 't1.1', question: 'q0', ...(suggestions && { suggestions }), schema },
    ]);
  });
});

describe('resumeOf', () => {
  it('hands back the content, the state and the keys of the server', () => {
    const asks = { ...needs(one, undefined), state: '{"s":1} ' };
    expect(resumeOf(asks, [reply('answered', { n: 1 }), reply('answered', 'done')])).toEqual({
      answers: [
        { key: 'k0', action: 'accept', content: { n: 1 } },
        { key: 'k1', action: 'accept' },
      ],
      state: '{"s":1} ',
    });
  });

  it('takes a bare value for the only field of a form, and cancels a form with several', () => {
    expect(resumeOf(needs(one), [reply('answered', 'x')]).answers).toEqual([
      { key: 'k0', action: 'accept', content: { n: 'x' } },
    ]);
    const two = form({ a: {}, b: {} });
    expect(resumeOf(needs(two), [reply('answered', 'x')]).answers).toEqual([{ key: 'k0', action: 'cancel' }]);
  });

  it('takes an object as it is, and cancels without a value or a single field for it', () => {
    const two = form({ a: {}, b: {} });
    expect(resumeOf(needs(two), [reply('answered', { a: 1 })])).toStrictEqual({
      answers: [{ key: 'k0', action: 'accept', content: { a: 1 } }],
    });
    const cancelled = { answers: [{ key: 'k0', action: 'cancel' }] };
    expect(resumeOf(needs(one), [reply('answered')])).toStrictEqual(cancelled);
    expect(resumeOf(needs(one), [])).toStrictEqual(cancelled);
    for (const schema of [form({}), { type: 'object' }, { properties: ['n'] }]) {
      expect(resumeOf(needs(schema), [reply('answered', 'x')])).toStrictEqual(cancelled);
    }
  });

  it('takes any value for the only field of a form, including lists and `null`', () => {
    for (const data of [[1, 2], null, false, '']) {
      expect(resumeOf(needs(one), [reply('answered', data)]).answers).toEqual([
        { key: 'k0', action: 'accept', content: { n: data } },
      ]);
    }
  });

  it('distinguishes a declined question from one that expired or was withdrawn', () => {
    const actions = (['declined', 'expired', 'withdrawn'] as const).map(
      (action) => resumeOf(needs(one), [reply(action, 'why')]).answers[0],
    );
    expect(actions).toEqual([
      { key: 'k0', action: 'decline' },
      { key: 'k0', action: 'cancel' },
      { key: 'k0', action: 'cancel' },
    ]);
  });

  it('answers each request once and in order, whatever the replies are', () => {
    const replies = fc.array(
      fc.record({
        action: fc.constantFrom<QuestionOutcome['action']>('answered', 'declined', 'expired', 'withdrawn'),
        data: fc.jsonValue() as fc.Arbitrary<NonNullable<QuestionOutcome['data']>>,
        at: fc.nat(),
      }),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(replies, fc.integer({ min: 0, max: 5 }), (said, count) => {
        const asks = needs(...Array.from({ length: count }, () => one));
        const { answers } = resumeOf(asks, said);
        expect(answers.map(({ key }) => key)).toEqual(asks.requests.map(({ key }) => key));
        answers.forEach(({ action, content }, i) => {
          expect(action === 'accept').toBe(said[i]?.action === 'answered');
          expect(content !== undefined).toBe(action === 'accept');
        });
      }),
    );
  });
});
