import { jsonBytes } from '../../agent/values/json';
import { ask, failureOf } from '../activities/model/asking';
import { EACH_API } from './stage/apis';
import { cheaply, ended, event, sent, stream } from './stage/hostile-model';

describe.each(EACH_API)('a field beside the answer: %s', (_, api) => {
  const how = { model: api.model };
  const huge = 'x'.repeat(3_000_000);

  test.each(api.beside(huge))('%s of 3 MB does not make a large answer', async (__, chunk) => {
    const answer = await cheaply(stream(event(chunk), api.text('ok'), api.ended()), how);
    expect(jsonBytes(answer)).toBeLessThan(10_000);
  });

  const { refusal } = api;
  if (refusal !== undefined)
    test('an endless refusal is cut', async () => {
      const server = await sent(stream(refusal('no '.repeat(10_000)).repeat(100), api.ended()), how);
      expect(jsonBytes(await ask(server.config()))).toBeLessThan(10_000);
    });

  test.each(['1e308', '1e15', '-5', '1e400'])('usage of %s tokens is not believed', async (tokens) => {
    const body = stream(api.text('x'.repeat(40)), api.ended({ tokens }));
    if (api.isForeign && tokens === '1e400') {
      // The packages refuse an infinite number.
      const failure = await failureOf(ask((await sent(body, how)).config()));
      expect(failure).toMatchObject({ type: 'ModelAnswerUnreadable', nonRetryable: true });
      return;
    }
    const { usage, executionUnits } = await cheaply(body, how);
    expect(usage.completion).toBe(10);
    expect(executionUnits).toBe(usage.prompt + 10);
  });
});

test('a field name with a meaning in JavaScript is not a field', async () => {
  const body = 'data: {"choices":[{"delta":{"content":"ok","__proto__":{"polluted":1},"x":{"__proto__":[1]}}}]}\n\n';
  const answer = await cheaply(stream(body, ended()));
  expect(answer.parts).toEqual([{ type: 'text', text: 'ok' }]);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});
