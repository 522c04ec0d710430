import type { DeltaBody } from '../../agent/protocol/stream';
import { hashOfArguments } from '../../runtime/sha256';
import { askedAfter, askIt, has, open, text } from './exchange';
import { PROVIDERS } from './wires';

const looking = (q: string, id?: string) => ({
  name: 'look_up',
  arguments: { q },
  ...(id === undefined ? {} : { id }),
});
const requested = (q: string) => ({ name: 'look_up', input: { q }, hash: hashOfArguments({ q }) });

describe.each(PROVIDERS.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  test('one call', async () => {
    const provider = await open(kind, { text: 'Looking.', calls: [looking('x', 'id-1')] }, { text: 'ok' });
    const answer = await askIt(provider);
    expect(answer).toMatchObject({ type: 'tool_call', finishReason: 'tool_calls', parts: [{ text: 'Looking.' }] });
    const ided = has(kind, 'call ids') ? { providerId: 'id-1' } : {};
    expect(answer.toolRequests).toEqual([{ ...requested('x'), ...ided }]);
    const [, said, result] = await askedAfter(provider, answer, [text('found x')]);
    expect(said).toMatchObject({
      role: 'assistant',
      text: 'Looking.',
      calls: [{ name: 'look_up', input: { q: 'x' } }],
    });
    expect(result).toMatchObject({ role: 'tool', text: 'found x', resultOf: said?.calls[0]?.id });
    if (has(kind, 'call ids')) expect(said?.calls[0]?.id).toBe('id-1');
  });

  test('calls in pieces', async () => {
    const q = 'a text that is longer than a piece';
    const provider = await open(kind, { calls: [looking(q)], chunkSize: 7, chunkDelay: 2 });
    const seen: DeltaBody[] = [];
    const answer = await askIt(provider, { onDelta: (body) => seen.push(body) });
    expect(answer.toolRequests).toMatchObject([requested(q)]);
    const pieces = seen.flatMap((body) => (body.type === 'stream.tool' ? [body] : []));
    expect(pieces.map((piece) => piece.arguments).join('')).toBe(JSON.stringify({ q }));
    expect(new Set(pieces.map(({ index, name }) => `${index} ${name}`))).toEqual(new Set(['0 look_up']));
    if (has(kind, 'calls in pieces')) expect(pieces.length).toBeGreaterThan(3);
    else expect(pieces.length).toBeLessThanOrEqual(2);
  });

  test('parallel calls', async () => {
    const names = ['a', 'b', 'c'];
    const provider = await open(kind, { calls: names.map((q) => looking(q)), chunkSize: 3 }, { text: 'ok' });
    const answer = await askIt(provider);
    expect(answer.toolRequests).toMatchObject(names.map(requested));
    const [, said, ...results] = await askedAfter(provider, answer, ...names.map((q) => [text(`found ${q}`)]));
    expect(said?.calls.map(({ input }) => input)).toEqual(names.map((q) => ({ q })));
    expect(results.map((result) => result.text)).toEqual(names.map((q) => `found ${q}`));
    expect(results.map(({ resultOf }) => resultOf)).toEqual(said?.calls.map(({ id }) => id));
  });

  test.each([
    ['repeated ids', 'same'],
    ['no id', ''],
  ])('%s', async (__, id) => {
    const provider = await open(kind, { calls: [looking('a', id), looking('b', id)] }, { text: 'ok' });
    const answer = await askIt(provider);
    expect(answer.toolRequests).toMatchObject([requested('a'), requested('b')]);
    const [, said, ...results] = await askedAfter(provider, answer, [text('found a')], [text('found b')]);
    expect(said?.calls.map(({ input }) => input)).toEqual([{ q: 'a' }, { q: 'b' }]);
    expect(results).toMatchObject([{ text: 'found a' }, { text: 'found b' }]);
    expect(results.map(({ resultOf }) => resultOf)).toEqual(said?.calls.map((call) => call.id));
    if (has(kind, 'call ids')) expect(new Set(said?.calls.map((call) => call.id))).toHaveProperty('size', 2);
  });

  test('invalid JSON', async () => {
    const provider = await open(kind, { calls: [{ name: 'look_up', arguments: 'please look it up' }] });
    const { toolRequests, parts } = await askIt(provider);
    if (!has(kind, 'arguments as text')) {
      // The provider has read the call itself, without success.
      expect(toolRequests).toEqual([]);
      expect(JSON.stringify(parts)).toContain('please look it up');
      return;
    }
    expect(toolRequests).toMatchObject([{ name: 'look_up', input: {}, problem: { type: 'InvalidJson' } }]);
    expect(toolRequests[0]?.problem?.message).toContain('please look it up');
  });

  test('arguments that fail the schema', async () => {
    const provider = await open(kind, { calls: [{ name: 'look_up', arguments: { p: 1 } }] });
    const { toolRequests } = await askIt(provider);
    expect(toolRequests).toMatchObject([{ input: { p: 1 }, problem: { type: 'InvalidArguments' } }]);
    expect(toolRequests[0]?.problem?.message).toContain('q');
  });
});
