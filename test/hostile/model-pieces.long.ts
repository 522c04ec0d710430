import { type JsonObject, jsonBytes } from '../../agent/values/json';
import { ask, failureOf } from '../activities/model/asking';
import { BLOCKED, cheaply, costOf, deltaOf, ended, JSON_BODY, sent, stream } from './stage/hostile-model';

const cut = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
const callPiece = (fn: JsonObject, more: JsonObject = {}) =>
  deltaOf({ tool_calls: [{ index: 0, function: fn, ...more }] });
const oneCall = (args: string) => stream(callPiece({ name: 'look_up', arguments: args }, { id: 'a' }), ended());

describe('many pieces take linear time', () => {
  const args = JSON.stringify({ q: 'x'.repeat(400_000) });

  test.each([
    [400, 4],
    [100, 1],
  ])('%d KB of arguments in pieces of %d, with the name in each', async (kb, size) => {
    const q = 'x'.repeat(kb * 1000);
    const pieces = cut(JSON.stringify({ q }), size).map((piece) =>
      callPiece({ name: 'look_up', arguments: piece }, { id: 'a' }),
    );
    const { toolRequests } = await cheaply(stream(pieces.join(''), ended()));
    expect(toolRequests).toMatchObject([{ name: 'look_up', input: { q } }]);
  });

  test('arguments that are complete at once and go on, with the name in each piece', async () => {
    const pieces = cut('{}'.repeat(20_000), 2).map((piece) => callPiece({ name: 'look_up', arguments: piece }));
    const { toolRequests, finishReason } = await cheaply(stream(pieces.join(''), ended()));
    expect(finishReason).toBe('length');
    expect(toolRequests.length).toBeLessThan(5000);
  });

  test('fields that are repeated with every piece count once', async () => {
    const extra = { status: 'in_progress', provider: 'p'.repeat(50) };
    const pieces = cut(args, 16).map((piece) => callPiece({ arguments: piece }, extra));
    const { toolRequests } = await cheaply(stream(callPiece({ name: 'look_up' }), ...pieces, ended()));
    expect(toolRequests).toMatchObject([{ input: { q: 'x'.repeat(400_000) } }]);
  });

  test('300,000 characters of text, one by one', async () => {
    const answer = await cheaply(stream(deltaOf({ content: 'x' }).repeat(300_000), ended()));
    expect(answer).toMatchObject({ finishReason: 'stop', parts: [{ text: 'x'.repeat(300_000) }] });
  });

  test('text and reasoning in alternation: an answer of parts is bounded as well', async () => {
    const turn = deltaOf({ content: 'x' }) + deltaOf({ reasoning: 'y' });
    const answer = await cheaply(stream(turn.repeat(100_000), ended()));
    expect(answer.finishReason).toBe('length');
    expect(jsonBytes(answer)).toBeLessThan(2_000_000);
  });

  const details = (count: number, of: (i: number) => JsonObject) =>
    stream(
      ...Array.from({ length: count }, (_, i) => deltaOf({ reasoning_details: [of(i)] })),
      deltaOf({ content: 'x' }),
      ended(),
    );

  test.each<[string, (i: number) => JsonObject]>([
    ['with an index each', (i) => ({ type: 'x', index: i })],
    ['without an index', () => ({ type: 'x' })],
    ['of one entry', () => ({ type: 'x', index: 0, text: 'y' })],
  ])('40,000 reasoning details %s', async (_, of) => {
    expect((await cheaply(details(40_000, of))).providerData).toBeDefined();
  });

  test('40,000 reasoning details in eight events', async () => {
    const list = Array.from({ length: 5000 }, (_, i) => ({ type: 'x', index: i }));
    const body = stream(deltaOf({ reasoning_details: list }).repeat(8), deltaOf({ content: 'x' }), ended());
    expect((await cheaply(body)).providerData).toBeDefined();
  });

  test('40,000 reasoning details in one event exceed the limit', async () => {
    const list = Array.from({ length: 40_000 }, (_, i) => ({ type: 'x', index: i }));
    const server = await sent(stream(deltaOf({ reasoning_details: list }), ended()));
    const { result, blocked } = await costOf(() => failureOf(ask(server.config())));
    expect(result).toMatchObject({ type: 'ModelAnswerUnreadable', nonRetryable: true });
    expect(result.message).toContain('one event of its stream is made of more than 20000 values');
    expect(blocked).toBeLessThan(BLOCKED);
  });

  test('a detail with thousands of fields that grows', async () => {
    const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, 1]));
    await cheaply(details(20_000, (i) => (i === 0 ? { type: 'x', index: 0, ...fields } : { type: 'x', index: 0 })));
  });

  test('an object that grows by a field with each piece', async () => {
    const pieces = Array.from({ length: 30_000 }, (_, i) => deltaOf({ extra: { [`f${i}`]: 1 } }));
    const answer = await cheaply(stream(...pieces, deltaOf({ content: 'x' }), ended()));
    expect(answer.providerData).toMatchObject({ message: { extra: { f0: 1, f29999: 1 } } });
  });

  test('10,000 calls: the answer is cut, and every call says so', async () => {
    const calls = Array.from({ length: 10_000 }, (_, i) =>
      deltaOf({ tool_calls: [{ index: i, id: `c${i}`, function: { name: 'look_up', arguments: '{"q":"x"}' } }] }),
    );
    const answer = await cheaply(stream(...calls, ended('tool_calls')));
    expect(answer.finishReason).toBe('length');
    expect(new Set(answer.toolRequests.map(({ problem }) => problem?.type))).toEqual(new Set(['AnswerCut']));
    expect(jsonBytes(answer)).toBeLessThan(1_500_000);
  });

  test('10,000 calls of one piece each, all without index and id', async () => {
    const list = Array.from({ length: 10_000 }, () => ({ function: { name: 'look_up', arguments: '{}' } }));
    const body = JSON.stringify({ choices: [{ message: { tool_calls: list }, finish_reason: 'tool_calls' }] });
    const server = await sent(body, { headers: JSON_BODY });
    expect(await failureOf(ask(server.config()))).toMatchObject({ type: 'ModelAnswerUnreadable', nonRetryable: true });
  });
});

describe('broken arguments', () => {
  const problem = async (args: string) => (await cheaply(oneCall(args))).toolRequests[0]?.problem;

  test.each<[string, string]>([
    ['opening brackets', '['.repeat(100_000)],
    ['opening braces', '{'.repeat(100_000)],
    ['unclosed quotes', `{"q":"x${'", "y'.repeat(20_000)}`],
    ['single quotes', "{'".repeat(50_000)],
    ['typographic quotes', `\r\`\`\`{${'a“'.repeat(50_000)}{`],
    ['backslashes', `{"q":"${'\\'.repeat(100_001)}`],
    ['line breaks in a text', `{"q":"${'x\n'.repeat(50_000)}`],
    ['commas in an unterminated text', `{"q":"${'x,y:'.repeat(25_000)}`],
    ['comments', '/*'.repeat(50_000)],
    ['field names without quotes', '{a '.repeat(33_000)],
    ['functions', 'f('.repeat(50_000)],
  ])('100 KB of %s are read in time', async (_, args) => {
    const found = await problem(args);
    if (found !== undefined) expect(['InvalidJson', 'InvalidArguments']).toContain(found.type);
  });

  test('for a long text the problem names the place', async () => {
    const found = await problem(`{"q":"${'x'.repeat(1000)}" what}`);
    expect(found?.message).toMatch(/^The arguments are not a JSON object: \{"q":"x+… \(.* position 1008.*\)$/);
  });

  test('500 calls that are slow to repair share a short time', async () => {
    const slow = `\r\`\`\`{${'a“'.repeat(300)}{`;
    const calls = Array.from({ length: 500 }, (_, i) =>
      deltaOf({ tool_calls: [{ index: i, id: `c${i}`, function: { name: 'look_up', arguments: slow } }] }),
    );
    const { toolRequests } = await cheaply(stream(...calls, ended('tool_calls')));
    expect(toolRequests).toHaveLength(500);
    expect(toolRequests.at(-1)?.problem?.type).toBe('InvalidJson');
  });
});

describe('JSON with too many values', () => {
  const arrays = (n: number) => `[${'[],'.repeat(n)}1]`;
  const fields = (n: number) => `{${Array.from({ length: n }, (_, i) => `"f${i}":1,`).join('')}"q":"x"}`;

  test.each([
    ['lists', `{"q":${arrays(300_000)}}`],
    ['fields', fields(60_000)],
    ['JSON in a text', JSON.stringify(`{"q":${arrays(100_000)}}`)],
  ])('arguments of many %s are a problem that says so', async (_, args) => {
    const found = (await cheaply(oneCall(args))).toolRequests[0];
    expect(found).toMatchObject({ input: {}, problem: { type: 'InvalidJson' } });
    expect(found?.problem?.message).toContain('made of more than 20000 values');
  });

  test('as many values as are read at once', async () => {
    const { toolRequests } = await cheaply(oneCall(fields(19_000)));
    expect(toolRequests[0]?.problem).toBeUndefined();
  });

  test.each<[string, string]>([
    ['choices', `{"choices":${arrays(100_000)}}`],
    ['levels', `{"choices":[{"delta":{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}]}`],
    ['fields', `{"choices":[{"delta":${fields(100_000)}}]}`],
  ])('an answer with an event of many %s is unreadable', async (_, json) => {
    for (const server of [await sent(stream(`data: ${json}\n\n`)), await sent(json, { headers: JSON_BODY })]) {
      const { result, blocked } = await costOf(() => failureOf(ask(server.config())));
      expect(result).toMatchObject({ type: 'ModelAnswerUnreadable', nonRetryable: true });
      expect(blocked).toBeLessThan(BLOCKED);
    }
  });

  test('numbers that grow when they are sent on are bounded', async () => {
    const list = `{"q":[${'1e20,'.repeat(15_000)}1]}`;
    const calls = Array.from({ length: 12 }, (_, i) =>
      deltaOf({ tool_calls: [{ index: i, id: `c${i}`, function: { name: 'other', arguments: list } }] }),
    );
    const answer = await cheaply(stream(...calls, ended('tool_calls')));
    expect(answer.toolRequests).toHaveLength(12);
    expect(answer.toolRequests.at(-1)?.problem?.type).toBe('AnswerCut');
    expect(jsonBytes(answer)).toBeLessThan(1_500_000);
  });

  test('a text of control characters is cut by its encoded size', async () => {
    const text = '\u0001'.repeat(250_000) + 'x'.repeat(1_000_000);
    const answer = await cheaply(stream(deltaOf({ content: text }), ended()));
    expect(answer.finishReason).toBe('length');
    expect(jsonBytes(answer)).toBeLessThan(1_100_000);
  });
});
