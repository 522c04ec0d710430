import { keyOf } from '../../../../agent/protocol/calls/idempotency-key';
import type { AwaitedService, ServiceAnswer } from '../../../../agent/state/awaited-service';
import type { BatchCall } from '../../../../agent/state/batch';
import type { Json } from '../../../../agent/values/json';
import { MAX_DEPTH } from '../../../../agent/values/json-depth';
import { answerOfEvent, answerOfToolResult } from '../../../../workflows/commands/checks/check-service-answer';
import { batchCall, runState } from '../../state-data';

const CHAIN = '01234567-89ab-4cde-8f01-23456789abcd';
const OTHER_CHAIN = 'ffffffff-89ab-4cde-8f01-23456789abcd';
const HASH = 'a'.repeat(64);
const key = (toolUseId: string, { chainId = CHAIN, hash = HASH } = {}) => keyOf({ chainId }, { toolUseId, hash });

/** A call that waits for the answer of its service. The key names the event that was sent for it. */
function waiting(
  toolUseId: string,
  { kind = 'event', given }: { kind?: AwaitedService['kind']; given?: 1 } = {},
): BatchCall {
  const request = { ref: key(toolUseId), kind, since: 0 };
  const service: AwaitedService =
    given === undefined
      ? { ...request, status: 'awaited' }
      : { ...request, status: 'answered', answer: { data: given }, answeredAt: 5 };
  return batchCall({ toolUseId, hash: HASH, service });
}
const answered = (toolUseId: string) => waiting(toolUseId, { given: 1 });
const settled = (toolUseId: string) => batchCall({ toolUseId, hash: HASH, outcome: { content: [] } });
const tool = (toolUseId: string) => batchCall({ toolUseId, hash: HASH });

/** A run with these calls in progress, whose model has asked for them and for those of an earlier batch. */
function run(batch: BatchCall[], earlier: string[] = []) {
  const asked = [...earlier, ...batch.map(({ toolUseId }) => toolUseId)];
  return runState([], {
    chainId: CHAIN,
    batch,
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'go' }], turn: 0 },
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'Let me see.' },
          ...asked.map((toolUseId) => ({ type: 'tool_use' as const, toolUseId, name: 'ask', input: {} })),
        ],
        turn: 1,
      },
      { role: 'user', parts: [{ type: 'tool_result', toolUseId: 't7.7', name: 'ask', content: [] }], turn: 1 },
    ],
  });
}

function nested(levels: number): Json {
  let value: Json = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}

describe('answerOfToolResult', () => {
  test.each<[string, object, ServiceAnswer]>([
    ['data', { data: { left: 3 } }, { data: { left: 3 } }],
    ['data that is null', { data: null }, { data: null }],
    ['data with `error: null`, as some senders write it', { data: 1, error: null }, { data: 1 }],
    ['an error as a text', { error: 'sold out' }, { error: 'sold out' }],
    ['an empty error', { error: '' }, { error: '' }],
    ['an error as JSON', { error: { code: 7 } }, { error: '{"code":7}' }],
    ['data with the key of the call', { data: 1, idempotencyKey: key('t1.1') }, { data: 1 }],
    ['data with `idempotencyKey: null`, as some senders write it', { data: 1, idempotencyKey: null }, { data: 1 }],
    ['data of the greatest depth', { data: nested(MAX_DEPTH) }, { data: nested(MAX_DEPTH) }],
  ])('takes %s', (_, given, answer) => {
    const state = run([waiting('t1.2'), waiting('t1.1', { kind: 'signal' })]);
    expect(answerOfToolResult(state, { toolUseId: 't1.1', ...given })).toStrictEqual({ toolUseId: 't1.1', answer });
  });

  const form = 'Expected `{"toolUseId": …, "data": …}` or `{"toolUseId": …, "error": …}`';

  test.each<[string, unknown, string]>([
    ['nothing', undefined, form],
    ['null', null, form],
    ['a text', 't1.1', form],
    ['a list', [], form],
    ['no call', { data: 1 }, 'Expected `toolUseId` to be a string'],
    [
      'a key that is not a text',
      { toolUseId: 't1.1', data: 1, idempotencyKey: 7 },
      'Expected `idempotencyKey` to be a string',
    ],
    ['no answer', { toolUseId: 't1.1' }, 'Expected either `data` or `error`'],
    ['an error that is null', { toolUseId: 't1.1', error: null }, 'Expected either `data` or `error`'],
    ['data and an error', { toolUseId: 't1.1', data: 1, error: 'x' }, 'Expected either `data` or `error`'],
    [
      'data that is too deep',
      { toolUseId: 't1.1', data: nested(MAX_DEPTH + 1) },
      'It is nested deeper than 200 levels',
    ],
  ])('says what is wrong in %s', (_, given, detail) => {
    expect(answerOfToolResult(run([waiting('t1.1')]), given)).toStrictEqual({ why: 'InvalidToolResult', detail });
  });

  test.each<[string, BatchCall[], string]>([
    ['of a call that is answered already', [answered('t1.1')], 'DoubleAnswer'],
    ['of a call that has settled', [settled('t1.1')], 'LateAnswer'],
    ['of a call that answered and settled', [{ ...answered('t1.1'), ...settled('t1.1') }], 'DoubleAnswer'],
    ['of a call of an earlier batch', [waiting('t2.1')], 'LateAnswer'],
    ['for a child workflow', [waiting('t1.1', { kind: 'child' })], 'StrangeAnswer'],
    ['for another agent', [waiting('t1.1', { kind: 'agent' })], 'StrangeAnswer'],
    ['for a child workflow that has answered', [waiting('t1.1', { kind: 'child', given: 1 })], 'StrangeAnswer'],
    ['of a call that is not a service', [tool('t1.1')], 'StrangeAnswer'],
  ])('ignores an answer %s', (_, batch, why) => {
    expect(answerOfToolResult(run(batch, ['t1.1']), { toolUseId: 't1.1', data: 1 })).toStrictEqual({
      why,
      toolUseId: 't1.1',
    });
  });

  test('ignores an answer to a call that the model never made, and keeps the beginning of its id', () => {
    // `t7.7` is in the transcript only as a result.
    for (const toolUseId of ['t9.9', 't7.7', 'toString', '']) {
      const ignored = answerOfToolResult(run([waiting('t1.1')]), { toolUseId, data: 1 });
      expect(ignored).toStrictEqual({ why: 'StrangeAnswer', toolUseId });
    }
    const long = answerOfToolResult(run([]), { toolUseId: `t${'9'.repeat(200)}`, data: 1 });
    expect(long).toStrictEqual({ why: 'StrangeAnswer', toolUseId: `t${'9'.repeat(99)}` });
  });

  const gone = 't0.1';
  const batch = [waiting('t1.1'), waiting('t1.2'), answered('t1.3'), settled('t1.4'), tool('t1.5')];

  test.each<[string, string, string, { why: string; toolUseId: string }]>([
    ['the key of another call that waits', 't1.1', key('t1.2'), { why: 'StrangeAnswer', toolUseId: 't1.2' }],
    ['the key of a call that is answered', 't1.1', key('t1.3'), { why: 'DoubleAnswer', toolUseId: 't1.3' }],
    ['the key of a call that has settled', 't1.1', key('t1.4'), { why: 'LateAnswer', toolUseId: 't1.4' }],
    ['the key of a call that is not a service', 't9.9', key('t1.5'), { why: 'StrangeAnswer', toolUseId: 't1.5' }],
    ['the key of a call of an earlier batch', 't1.1', key(gone), { why: 'LateAnswer', toolUseId: gone }],
    [
      'the key of an earlier run with such a call',
      gone,
      key(gone, { chainId: OTHER_CHAIN }),
      { why: 'OutdatedAnswer', toolUseId: gone },
    ],
    [
      'the key that its call had in an earlier run',
      't1.1',
      key('t1.1', { chainId: OTHER_CHAIN }),
      { why: 'OutdatedAnswer', toolUseId: 't1.1' },
    ],
    [
      'the key that its call had with other arguments',
      't1.1',
      key('t1.1', { hash: 'b'.repeat(64) }),
      { why: 'OutdatedAnswer', toolUseId: 't1.1' },
    ],
    ['the key of a call that never existed', 't1.1', key('t9.9'), { why: 'StrangeAnswer', toolUseId: 't9.9' }],
    ['a key of another form', 't1.1', 'other/thing/t1.2', { why: 'StrangeAnswer', toolUseId: 't1.2' }],
    ['a key without a slash', 't1.1', 'order-7', { why: 'StrangeAnswer', toolUseId: 'order-7' }],
  ])('ignores an answer with %s', (_, toolUseId, idempotencyKey, ignored) => {
    expect(answerOfToolResult(run(batch, [gone]), { toolUseId, idempotencyKey, data: 1 })).toStrictEqual(ignored);
  });

  test('knows a call by the arguments that a person edited', () => {
    const edit = { input: {}, hash: 'b'.repeat(64), key: '' };
    const decision = { decision: 'edit' as const, at: 0, edit };
    const approval = { status: 'decided' as const, hash: HASH, key: '', requestedAt: 0, decision };
    const state = run([{ ...waiting('t1.1'), approval }]);
    const given = { toolUseId: 't1.1', data: 1 };
    expect(answerOfToolResult(state, { ...given, idempotencyKey: key('t1.1', edit) })).toHaveProperty('answer');
    expect(answerOfToolResult(state, { ...given, idempotencyKey: key('t1.1') })).toEqual({
      why: 'OutdatedAnswer',
      toolUseId: 't1.1',
    });
  });
});

describe('answerOfEvent', () => {
  const event = {
    specversion: '1.0',
    id: 'e-1',
    source: 'stock',
    subject: 'run-1',
    type: 'evt.stock.check.success',
    data: { left: 3 },
    parentid: key('t1.1'),
  };

  test('takes an event as the answer to the call that it names', () => {
    const state = run([tool('t1.3'), waiting('t1.2'), waiting('t1.1')]);
    const said = { type: 'evt.stock.check.success', data: { left: 3 } };
    expect(answerOfEvent(state, event)).toStrictEqual({ toolUseId: 't1.1', answer: said });
    const whole = { ...event, dataschema: '#/stock/1.0.0', executionunits: 2.5 };
    expect(answerOfEvent(state, whole)).toStrictEqual({
      toolUseId: 't1.1',
      answer: { ...said, dataschema: '#/stock/1.0.0', executionUnits: 2.5 },
    });
  });

  test.each<[string, BatchCall, string]>([
    ['a call that is answered already', answered('t1.1'), 'DoubleAnswer'],
    ['an agent, for which only the result counts', waiting('t1.1', { kind: 'agent' }), 'StrangeAnswer'],
  ])('ignores an event for %s', (_, call, why) => {
    expect(answerOfEvent(run([call]), event)).toStrictEqual({ why, toolUseId: 't1.1' });
  });

  test('ignores an event for another run, and names that run by up to 200 characters', () => {
    const state = run([waiting('t1.1')]);
    const ignored = { why: 'StrangeAnswer', toolUseId: 't1.1' };
    expect(answerOfEvent(state, { ...event, subject: 'run-2' })).toStrictEqual({ ...ignored, detail: 'subject run-2' });
    expect(answerOfEvent(state, { ...event, subject: 'r'.repeat(300) })).toStrictEqual({
      ...ignored,
      detail: `subject ${'r'.repeat(192)}`,
    });
  });

  test.each<[string, string | undefined, { why: string; toolUseId: string }]>([
    ['nothing', undefined, { why: 'StrangeAnswer', toolUseId: '' }],
    ['an event of another form', 'mail-17', { why: 'StrangeAnswer', toolUseId: 'mail-17' }],
    ['a call that has settled', key('t1.2'), { why: 'LateAnswer', toolUseId: 't1.2' }],
    ['a call of an earlier batch', key('t0.1'), { why: 'LateAnswer', toolUseId: 't0.1' }],
    ['a call of an earlier run', key('t1.1', { chainId: OTHER_CHAIN }), { why: 'OutdatedAnswer', toolUseId: 't1.1' }],
  ])('ignores an event that answers %s, and keeps its type', (_, parentid, ignored) => {
    const state = run([waiting('t1.1'), settled('t1.2')], ['t0.1']);
    expect(answerOfEvent(state, { ...event, parentid })).toStrictEqual({ ...ignored, detail: event.type });
  });

  test('keeps the first 200 characters of the type of an event that it ignores', () => {
    const given = { ...event, parentid: 'mail-17', type: 'e'.repeat(300) };
    expect(answerOfEvent(run([]), given)).toMatchObject({ detail: 'e'.repeat(200) });
  });

  test('says why an event is invalid, in at most 500 characters', () => {
    const state = run([waiting('t1.1')]);
    expect(answerOfEvent(state, { ...event, id: 7 })).toStrictEqual({
      why: 'InvalidEvent',
      detail: 'Invalid event: Expected `id` to be a string.',
    });
    const long = answerOfEvent(state, { ...event, datacontenttype: 'x'.repeat(1000) });
    expect(long).toMatchObject({ why: 'InvalidEvent', detail: expect.stringMatching(/^Invalid event: .*x$/) });
    expect('why' in long && long.detail).toHaveLength(500);
  });

  test('does not report its own fault as an invalid event', () => {
    expect(() => answerOfEvent(run([]), { ...event, data: 1n })).toThrow(TypeError);
  });
});
