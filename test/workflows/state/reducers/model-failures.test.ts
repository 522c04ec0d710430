import type { Message } from '../../../../agent/model/message';
import { SINCE } from '../../../../agent/protocol/decisions';
import type { AgentState } from '../../../../agent/state/state';
import { step } from '../../../../workflows/state/reduce';
import { downgradeOf, modelInUse } from '../../../../workflows/state/selectors/model-in-use';
import { withManifest } from '../fold';

const said = (text: string) => [{ type: 'text' as const, text }];
const usage = { prompt: 7, completion: 2 };
const error = { type: 'ModelUnavailable', message: 'gone' };
const outage = { since: 1, failures: 2, error, nextAt: 9 };

/** A run with two models that has had two turns. */
function asked(more: Partial<AgentState> = {}): AgentState {
  const toolInteractions = { current: 2, max: 5 };
  return withManifest({ models: ['big', 'small'] }, { turn: 2, toolInteractions, lifecycle: 'tool_result', ...more });
}

describe('a model that does not answer', () => {
  const partial = { parts: said('lost'), usage, executionUnits: 9 };
  const spent = { usage, executionUnits: 9, unpriced: { calls: 1, tokens: 9 }, calls: { model: 1, tool: 0 } };
  const cost = { type: 'usage', turn: 2, model: 'big', usage, executionUnits: 9 };

  it('is waited for: the first failure begins the outage, further ones are counted', () => {
    const first = step(asked(), { type: 'waiting', error, at: 100, nextAt: 200, partial });
    expect(first).toStrictEqual({
      state: {
        ...asked(),
        ...spent,
        phase: { at: 'outage', since: 100, failures: 1, error, nextAt: 200 },
      },
      facts: [cost, { type: 'model.waiting', turn: 2, model: 'big', error, attempt: 1, since: 100, nextAt: 200 }],
    });
    const other = { type: 'ModelRateLimited', message: 'slow down' };
    expect(step(first.state, { type: 'waiting', error: other, at: 300, nextAt: 400 })).toStrictEqual({
      state: { ...first.state, phase: { at: 'outage', since: 100, failures: 2, error: other, nextAt: 400 } },
      facts: [{ type: 'model.waiting', turn: 2, model: 'big', error: other, attempt: 2, since: 100, nextAt: 400 }],
    });
  });

  it('has no fact of its usage where nothing was used, unless the run began when it had', () => {
    const nothing = { parts: [], usage: { prompt: 0, completion: 0 }, executionUnits: 0 };
    const told = (decisions: number, more: { executionUnits?: number } = {}) => {
      const state = asked();
      const manifest = { ...state.manifest, decisions } as NonNullable<AgentState['manifest']>;
      const { facts } = step({ ...state, manifest }, { type: 'spent', model: 'big', partial: { ...nothing, ...more } });
      return facts.map(({ type }) => type);
    };
    expect(told(SINCE.tellsNoUsage - 1)).toEqual(['usage']);
    expect(told(SINCE.tellsNoUsage)).toEqual([]);
    // A model that is paid by the call.
    expect(told(SINCE.tellsNoUsage, { executionUnits: 1 })).toEqual(['usage']);
  });

  it('is asked again when its time has come, or when a person says so', () => {
    const state = { ...asked(), phase: { at: 'outage', since: 1, failures: 2, error } };
    expect(step(asked({ phase: { at: 'outage', ...outage } }), { type: 'resumed' })).toStrictEqual({
      state,
      facts: [],
    });
    expect(step(asked({ phase: { at: 'outage', ...outage } }), { type: 'retried', by: 'ann' })).toStrictEqual({
      state: { ...state, phase: { ...state.phase, asked: true } },
      facts: [{ type: 'model.retried', turn: 2, model: 'big', by: 'ann' }],
    });
    expect(step(asked({ phase: { at: 'outage', ...outage }, model: 1 }), { type: 'retried' }).facts).toStrictEqual([
      { type: 'model.retried', turn: 2, model: 'small' },
    ]);
    expect(step(asked(), { type: 'resumed' })).toStrictEqual({ state: asked(), facts: [] });
  });

  it('has no turn: neither the turn nor the interaction counts, and a concluding call never did', () => {
    expect(step(asked({ phase: { at: 'outage', ...outage } }), { type: 'unanswered' })).toStrictEqual({
      state: { ...asked(), turn: 1, toolInteractions: { current: 1, max: 5 } },
      facts: [],
    });
    const none = asked({ toolInteractions: { current: 0, max: 5 } });
    expect(step(none, { type: 'unanswered' }).state).toStrictEqual({ ...none, turn: 1 });
    const last = asked({ concluding: 'interactions', toolInteractions: { current: 5, max: 5 } });
    expect(step(last, { type: 'unanswered' }).state).toStrictEqual({ ...last, turn: 1 });
  });

  it('is followed by the next model, and its text is lost', () => {
    expect(step(asked({ phase: { at: 'outage', ...outage } }), { type: 'switched', error, partial })).toStrictEqual({
      state: { ...asked(), ...spent, model: 1 },
      facts: [cost, { type: 'model.switched', turn: 2, from: 'big', to: 'small', why: 'failed', error }],
    });
    expect(step(asked(), { type: 'switched', error })).toStrictEqual({
      state: { ...asked(), model: 1 },
      facts: [{ type: 'model.switched', turn: 2, from: 'big', to: 'small', why: 'failed', error }],
    });
  });

  describe('is replaced by the one that a person chose', () => {
    const chain = (more: Partial<AgentState> = {}) => withManifest({ models: ['big', 'mid', 'small'] }, asked(more));
    const told = (from: string, to: string, by?: string) => ({
      ...{ type: 'model.switched', turn: 2, from, to, why: 'chosen' },
      ...(by === undefined ? {} : { by }),
    });

    it('of the chain: the outage is over, and those behind it follow', () => {
      const waiting = chain({ phase: { at: 'outage', ...outage } });
      expect(step(waiting, { type: 'chosen', alias: 'mid', by: 'ann' })).toStrictEqual({
        state: { ...chain(), model: 1, chosen: { alias: 'mid', at: 1 } },
        facts: [told('big', 'mid', 'ann')],
      });
      expect(step(chain({ model: 2 }), { type: 'chosen', alias: 'big' })).toStrictEqual({
        state: { ...chain(), chosen: { alias: 'big', at: 0 } },
        facts: [told('small', 'big')],
      });
    });

    it('of the worker: it takes the place of the one in use, and the one behind it follows', () => {
      const { state, facts } = step(chain(), { type: 'chosen', alias: 'house', patience: 5 });
      expect(state).toStrictEqual({ ...chain(), chosen: { alias: 'house', at: 0, patience: 5 } });
      expect(facts).toStrictEqual([told('big', 'house')]);
      expect(step(state, { type: 'switched', error })).toStrictEqual({
        state: { ...state, model: 1 },
        facts: [{ ...told('house', 'mid'), why: 'failed', error }],
      });
      const spare = { ...chain(), chosen: { alias: 'spare', at: 0 } };
      expect(step(state, { type: 'chosen', alias: 'spare' }).state).toStrictEqual(spare);
    });

    it('with the one in use: it is kept, and the outage goes on', () => {
      const waiting = chain({ model: 1, phase: { at: 'outage', ...outage } });
      expect(step(waiting, { type: 'chosen', alias: 'mid' })).toStrictEqual({
        state: { ...waiting, chosen: { alias: 'mid', at: 1 } },
        facts: [],
      });
    });

    it('during its call, whose cost counts as its own', () => {
      const state = chain({ chosen: { alias: 'house', at: 0 } });
      expect(step(state, { type: 'spent', model: 'big', partial })).toStrictEqual({
        state: { ...state, ...spent },
        facts: [cost],
      });
      expect(step(state, { type: 'spent', model: 'big' })).toStrictEqual({ state, facts: [] });
    });
  });

  it.each([
    ['a text as it is', 'Call us.', 'Call us.'],
    ['other data as JSON', { call: 'us' }, '{"call":"us"}'],
    ['no data as null', undefined, 'null'],
  ])('is followed by the static answer: %s', (_, fallback, text) => {
    const before = withManifest(fallback === undefined ? {} : { fallbackAnswer: fallback }, asked());
    const message: Message = { role: 'assistant', parts: said(text), turn: 2 };
    expect(step({ ...before, phase: { at: 'outage', ...outage } }, { type: 'fellBack', error, partial })).toStrictEqual(
      {
        state: {
          ...{ ...before, ...spent, messages: [...before.messages, message] },
          phase: { at: 'ended', reason: 'completed', data: fallback ?? null },
          steers: [],
        },
        facts: [
          ...[cost, { type: 'model.fallback', turn: 2, error }, { type: 'message', turn: 2, index: 1, message }],
          { type: 'loop.end', reason: 'completed', turns: 2, usage, executionUnits: 9 },
        ],
      },
    );
  });
});

test('a downgrade is kept by alias, and each model has its own', () => {
  const why = 'response_format is unavailable';
  const first = step(asked(), {
    type: 'downgraded',
    model: 'big',
    downgrade: { from: 'schema', to: 'json_object', why },
  });
  expect(first).toStrictEqual({
    state: asked({ downgrades: { big: 'json_object' } }),
    facts: [{ type: 'model.downgraded', turn: 2, model: 'big', from: 'schema', to: 'json_object', why }],
  });
  const other = { ...first.state, model: 1 };
  const second = step(other, {
    type: 'downgraded',
    model: 'small',
    downgrade: { from: 'schema', to: 'prompt', why },
  }).state;
  expect(second.downgrades).toStrictEqual({ big: 'json_object', small: 'prompt' });
  expect([asked(), first.state, other, second].map((state) => downgradeOf(state, modelInUse(state)))).toEqual([
    undefined,
    'json_object',
    undefined,
    'prompt',
  ]);
  const strange = withManifest({ models: ['constructor'] }, { downgrades: {} });
  expect(downgradeOf(strange, modelInUse(strange))).toBeUndefined();
});
