import { type Json, jsonBytes } from '../../agent/values/json';
import { ask } from '../activities/model/asking';
import { cheaply, deltaOf, ended, event, sent, stream } from './stage/hostile-model';

describe('a field beside the answer', () => {
  const huge = 'x'.repeat(3_000_000);

  test.each<[string, Json]>([
    ['the name of the model', { model: huge, choices: [] }],
    [
      'the name of a tool',
      { choices: [{ delta: { tool_calls: [{ index: 0, function: { name: huge, arguments: '{}' } }] } }] },
    ],
    [
      'the id of a call',
      { choices: [{ delta: { tool_calls: [{ index: 0, id: huge, function: { name: 'look_up' } }] } }] },
    ],
    ['a finish_reason', { choices: [{ delta: {}, finish_reason: huge }] }],
    ['a field', { choices: [{ delta: { other: huge } }] }],
    [
      'a field of a call',
      { choices: [{ delta: { tool_calls: [{ index: 0, function: { name: 'look_up' }, other: huge }] } }] },
    ],
  ])('%s of 3 MB does not make a large answer', async (_, chunk) => {
    const answer = await cheaply(stream(event(chunk), deltaOf({ content: 'ok' }), ended()));
    expect(jsonBytes(answer)).toBeLessThan(10_000);
  });

  test('an endless refusal is cut', async () => {
    const server = await sent(stream(deltaOf({ refusal: 'no '.repeat(10_000) }).repeat(100), ended()));
    expect(jsonBytes(await ask(server.config()))).toBeLessThan(10_000);
  });

  test('a field name with a meaning in JavaScript is not a field', async () => {
    const body = 'data: {"choices":[{"delta":{"content":"ok","__proto__":{"polluted":1},"x":{"__proto__":[1]}}}]}\n\n';
    const answer = await cheaply(stream(body, ended()));
    expect(answer.parts).toEqual([{ type: 'text', text: 'ok' }]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test.each(['1e308', '1e15', '-5', '1e400'])('usage of %s tokens is not believed', async (tokens) => {
    const counted = `data: {"choices":[],"usage":{"prompt_tokens":${tokens},"completion_tokens":${tokens}}}\n\n`;
    const { usage, executionUnits } = await cheaply(stream(deltaOf({ content: 'x'.repeat(40) }), ended(), counted));
    expect(usage.completion).toBe(10);
    expect(executionUnits).toBe(usage.prompt + 10);
  });
});
