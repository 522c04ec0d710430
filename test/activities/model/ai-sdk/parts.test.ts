import { aiSdk } from 'holdfast/worker';
import { ask } from '../asking';
import { lookup } from '../lookup';
import { finish, hello, object } from './object';

describe('calls', () => {
  const begin = (id: string, more = {}) => ({ type: 'tool-input-start', id, toolName: 'look_up', ...more });
  const piece = (id: string, delta: string) => ({ type: 'tool-input-delta', id, delta });
  const whole = (id: string, q: string, more = {}) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: 'look_up',
    input: JSON.stringify({ q }),
    ...more,
  });
  const requested = async (...parts: unknown[]) =>
    (await ask(aiSdk(object([...parts, finish])), { tools: [lookup] })).toolRequests.map(({ input, providerId }) => ({
      ...input,
      id: providerId,
    }));

  test('that come whole and in pieces arrive once', async () => {
    expect(
      await requested(
        begin('a'),
        piece('a', '{"q":'),
        piece('a', '"1"}'),
        { type: 'tool-input-end', id: 'a' },
        whole('a', '1'),
      ),
    ).toEqual([{ q: '1', id: 'a' }]);
    expect(await requested(whole('a', '1'), whole('b', '2'))).toEqual([
      { q: '1', id: 'a' },
      { q: '2', id: 'b' },
    ]);
    expect(await requested(begin('a'), whole('a', '1'))).toEqual([{ q: '1', id: 'a' }]);
  });

  test('whose pieces are mixed, or whose ids repeat, are told apart', async () => {
    const mixed = [
      begin('a'),
      begin('b'),
      piece('a', '{"q":"1'),
      piece('b', '{"q":"2'),
      piece('a', '"}'),
      piece('b', '"}'),
    ];
    expect(await requested(...mixed)).toEqual([
      { q: '1', id: 'a' },
      { q: '2', id: 'b' },
    ]);
    const same = ['1', '2'].flatMap((q) => [begin('a'), piece('a', `{"q":"${q}"}`), whole('a', q)]);
    expect(await requested(...same)).toEqual([
      { q: '1', id: 'a' },
      { q: '2', id: 'a' },
    ]);
  });

  test('whose pieces are a text are taken whole', async () => {
    const asText = begin('a', { inputEncoding: 'text' });
    expect(await requested(asText, piece('a', 'one'), whole('a', '1'))).toEqual([{ q: '1', id: 'a' }]);
  });

  test('that the provider runs itself are not ours', async () => {
    const own = { providerExecuted: true };
    const result = { type: 'tool-result', toolCallId: 's', toolName: 'web_search', result: {} };
    expect(await requested(begin('s', own), piece('s', '{}'), whole('s', '1', own), result, whole('b', '2'))).toEqual([
      { q: '2', id: 'b' },
    ]);
  });
});

test('parts that do not belong to an answer are ignored: files, sources, and what is not known', async () => {
  const odd = [
    null,
    7,
    'x',
    [],
    {},
    { type: 7 },
    { type: 'file', mediaType: 'image/png', data: 'x' },
    { type: 'source', id: 's' },
    { type: 'text-delta', delta: 7 },
    { type: 'tool-input-delta', id: 'none', delta: '{}' },
    { type: 'custom', kind: 'a.b' },
  ];
  expect(await ask(aiSdk(object([...odd, ...hello])))).toMatchObject({
    type: 'text',
    parts: [{ text: 'hello' }],
    toolRequests: [],
  });
});

test('metadata that cannot be JSON is left out', async () => {
  const circle: { [key: string]: unknown } = {};
  circle.self = circle;
  const parts = [circle, { n: 1n }, { kept: { signature: 's', toolId: undefined } }].map((providerMetadata, i) => ({
    type: 'reasoning-delta',
    id: `${i}`,
    delta: 'hm',
    providerMetadata,
  }));
  const answer = await ask(aiSdk(object([...parts, finish])));
  expect(answer.parts.map((part) => (part.type === 'reasoning' ? part.providerData : ''))).toEqual([
    undefined,
    undefined,
    { kept: { signature: 's' } },
  ]);
});
