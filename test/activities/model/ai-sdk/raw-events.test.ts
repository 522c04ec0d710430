import { aiSdk } from 'holdfast/worker';
import { ask, failureOf } from '../asking';
import { lookup } from '../lookup';
import { finish, hello, object } from './object';

/** A chunk of chat completions, as the provider sent it. */
const chunk = (delta: object, finish_reason: string | null = null) => ({
  type: 'raw',
  rawValue: { choices: [{ index: 0, delta, finish_reason }] },
});

test.each([
  ['chat completions', [chunk({ refusal: 'I can' }), chunk({ refusal: 'not' }, 'stop')]],
  [
    'Responses',
    ['I can', 'not'].map((delta) => ({ type: 'raw', rawValue: { type: 'response.refusal.delta', delta } })),
  ],
])('a refusal in the field that %s have for it is one, in its words', async (_, events) => {
  const failure = await failureOf(ask(aiSdk(object([...events, finish]))));
  expect(failure).toMatchObject({ type: 'Refused', nonRetryable: true });
  expect(failure.message).toContain('(I cannot)');
});

describe('chunks of which none says why the answer ended', () => {
  // The package of OpenRouter ends every stream with calls like a whole one.
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'look_up', input: '{"q":"x"}' };
  const end = { type: 'finish', finishReason: { unified: 'tool-calls' }, usage: {} };

  test('are an answer that is broken off', async () => {
    const failure = await failureOf(ask(aiSdk(object([chunk({ tool_calls: [] }), call, end])), { tools: [lookup] }));
    expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
    expect(failure.message).toContain('broken off');
  });

  test('are told from whole ones, and from events of another form', async () => {
    const whole = [chunk({}), call, chunk({}, 'tool_calls'), { type: 'raw', rawValue: { choices: [] } }, end];
    expect(await ask(aiSdk(object(whole)), { tools: [lookup] })).toMatchObject({ finishReason: 'tool_calls' });
    const other = [{ type: 'raw', rawValue: { type: 'response.completed' } }, ...hello];
    expect(await ask(aiSdk(object(other)))).toMatchObject({ finishReason: 'stop' });
  });
});

test.each([
  ['malformed_tool_use', 'ModelUnavailable'],
  ['TIMEOUT', 'ModelUnavailable'],
  ['error', 'ModelUnavailable'],
  ['ERROR_TOXIC', 'Refused'],
  ['content_filter', 'Refused'],
])('the end `%s`, which packages call another one, is %s', async (word, type) => {
  const end = { ...finish, finishReason: { unified: 'other', raw: word } };
  expect(await failureOf(ask(aiSdk(object([...hello.slice(0, 2), end]))))).toMatchObject({ type });
});

test('an answer that has used up the context window is cut', async () => {
  const end = { ...finish, finishReason: { unified: 'other', raw: 'model_context_window_exceeded' } };
  expect(await ask(aiSdk(object([...hello.slice(0, 2), end])))).toMatchObject({ finishReason: 'length' });
});
