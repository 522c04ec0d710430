import { BYTES } from '../../../../agent/limits';
import type { ToolSpec } from '../../../../agent/protocol/manifest';
import type { Json, JsonObject } from '../../../../agent/values/json';
import { hashOfArguments } from '../../../../runtime/sha256';
import { call, calls, fault, type ScriptStep, text } from '../../../kit/scripted-model';
import { ask, configOf, delta, end, model } from '../asking';
import { lookup } from '../lookup';

describe('mistakes of a model', () => {
  const requestsOf = async (step: ScriptStep) =>
    (await ask(configOf(await model(step)), { tools: [lookup] })).toolRequests;

  test('broken JSON is repaired', async () => {
    expect(await requestsOf(call('look_up', "{'q': 'x',"))).toEqual([
      { providerId: 'call_1_1', name: 'look_up', input: { q: 'x' }, hash: hashOfArguments({ q: 'x' }) },
    ]);
  });

  test('JSON that cannot be repaired is a problem that shows the text', async () => {
    expect((await requestsOf(call('look_up', 'cats please')))[0]).toMatchObject({
      input: {},
      problem: { type: 'InvalidJson', message: expect.stringContaining('cats please') },
    });
  });

  test('arguments that violate the schema are a problem that names the path, and are kept', async () => {
    expect((await requestsOf(call('look_up', { q: 5 })))[0]).toMatchObject({
      input: { q: 5 },
      problem: { type: 'InvalidArguments', message: 'The arguments do not fit: q: must be string' },
    });
    expect((await requestsOf(call('look_up', '')))[0]).toMatchObject({
      input: {},
      problem: { type: 'InvalidArguments', message: 'The arguments do not fit: q: is required' },
    });
  });

  test('an unknown tool is left to the run', async () => {
    expect(await requestsOf(call('constructor', { any: 1 }, { id: 'a' }))).toEqual([
      { providerId: 'a', name: 'constructor', input: { any: 1 }, hash: hashOfArguments({ any: 1 }) },
    ]);
  });

  test('calls of an answer that was cut are all problems', async () => {
    const step = { ...calls(['look_up', { q: 'x' }], ['look_up', '{"q": "y']), finishReason: 'length' };
    const answer = await ask(configOf(await model(step)), { tools: [lookup] });
    expect(answer.finishReason).toBe('length');
    expect(answer.toolRequests.map((request) => request.problem?.type)).toEqual(['AnswerCut', 'AnswerCut']);
  });

  test('a text that was cut is an answer that says so', async () => {
    const server = await model(text('Once upon', { finishReason: 'length' }));
    expect(await ask(configOf(server))).toMatchObject({ type: 'text', finishReason: 'length' });
  });

  test('repeated ids of the provider are kept', async () => {
    const requests = await requestsOf(
      calls(['look_up', { q: 'x' }, { id: 'same' }], ['look_up', { q: 'y' }, { id: 'same' }]),
    );
    expect(requests.map(({ providerId, input }) => [providerId, input.q])).toEqual([
      ['same', 'x'],
      ['same', 'y'],
    ]);
  });

  test('an answer beyond the maximum size is cut there and its socket closed', async () => {
    const server = await model(
      fault({ kind: 'stall', after: 2 * BYTES.answer }, { text: 'x'.repeat(2 * BYTES.answer), chunkSize: 50_000 }),
    );
    const answer = await ask(configOf(server));
    expect(answer.finishReason).toBe('length');
    const [part] = answer.parts;
    expect(part?.text.length).toBeGreaterThan(BYTES.answer - 50_000);
    expect(JSON.stringify(answer).length).toBeLessThan(BYTES.answer + 2000);
    await server.requests[0]?.socketClosed;
  });

  test('arguments beyond the maximum size are a cut call', async () => {
    const huge = call('look_up', { q: 'x'.repeat(2 * BYTES.answer) }, { chunkSize: 50_000 });
    expect((await requestsOf(huge))[0]).toMatchObject({ problem: { type: 'AnswerCut' } });
  });
});

describe('opaque data of a provider', () => {
  async function echoed(raw: JsonObject[], tools: ToolSpec[] = []): Promise<JsonObject> {
    const server = await model({ raw }, text('ok'));
    const config = configOf(server);
    const { parts, toolRequests, providerData } = await ask(config, { tools });
    const uses = toolRequests.map(({ providerId, input }, i) => ({
      type: 'tool_use' as const,
      toolUseId: `t1.${i + 1}`,
      name: 'look.up',
      input,
      ...(providerId === undefined ? {} : { providerId }),
    }));
    const message = {
      role: 'assistant' as const,
      parts: [...parts, ...uses],
      turn: 1,
      ...(providerData === undefined ? {} : { providerData }),
    };
    // As it is read from history.
    await ask(config, { tools, call: 2, messages: [JSON.parse(JSON.stringify(message))] });
    return server.requests[1]?.body.messages[0] as unknown as JsonObject;
  }

  test('streamed reasoning details come back whole', async () => {
    const piece = (fields: JsonObject): Json[] => [{ type: 'reasoning.text', index: 0, ...fields }];
    const back = await echoed([
      delta({ reasoning: 'I th', reasoning_details: piece({ text: 'I th' }) }),
      delta({ reasoning: 'ink', reasoning_details: piece({ text: 'ink' }) }),
      delta({ reasoning_details: piece({ signature: 'sig' }) }),
      delta({ content: 'So.' }),
      end(),
    ]);
    expect(back).toEqual({
      role: 'assistant',
      content: 'So.',
      reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'I think', signature: 'sig' }],
    });
  });

  test('reasoning_content comes back with calls', async () => {
    const fn = { name: 'look_up', arguments: '{"q":"x"}' };
    const back = await echoed(
      [
        delta({ reasoning_content: 'I th' }),
        delta({ reasoning_content: 'ink' }),
        delta({ tool_calls: [{ index: 0, id: 'a', function: fn }] }),
        end('tool_calls'),
      ],
      [lookup],
    );
    expect(back).toMatchObject({ reasoning_content: 'I think', content: null, tool_calls: [{ id: 'a' }] });
  });

  test('unknown fields of message and calls come back where they were', async () => {
    const fn = (q: string) => ({ name: 'look_up', arguments: JSON.stringify({ q }) });
    const back = await echoed(
      [
        delta({ extra_content: { a: 1 }, empty: [], nothing: null }),
        delta({ tool_calls: [{ index: 0, id: '', function: fn('x'), extra_content: { google: 'sig' } }] }),
        delta({ tool_calls: [{ index: 1, id: '', function: fn('y') }] }),
        end('tool_calls'),
      ],
      [lookup],
    );
    expect(back).toMatchObject({
      extra_content: { a: 1 },
      tool_calls: [{ id: 't1.1', extra_content: { google: 'sig' } }, { id: 't1.2' }],
    });
    expect(back).not.toHaveProperty('empty');
    expect((back.tool_calls as Json[])[1]).not.toHaveProperty('extra_content');
  });
});
