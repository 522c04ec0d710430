import type { DeltaBody } from '../../agent/protocol/stream';
import { failureOf } from '../activities/model/asking';
import { askedAfter, askIt, has, open, text } from './exchange';
import { PROVIDERS } from './wires';

describe.each(PROVIDERS.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  test('text', async () => {
    const provider = await open(kind, { text: 'Good evening, Zoë 🌙' });
    expect(await askIt(provider, { system: 'Be brief' })).toMatchObject({
      type: 'text',
      parts: [{ type: 'text', text: 'Good evening, Zoë 🌙' }],
      toolRequests: [],
      finishReason: 'stop',
      model: 'm',
    });
    expect(provider.requests).toMatchObject([
      { system: 'Be brief', messages: [{ role: 'user', text: 'hi' }], tools: [{ name: 'look_up' }] },
    ]);
  });

  test('text in pieces', async () => {
    const provider = await open(kind, { text: 'Hello world', chunkSize: 4, chunkDelay: 5 });
    const seen: DeltaBody[] = [];
    const { parts } = await askIt(provider, { onDelta: (body) => seen.push(body) });
    expect(seen).toEqual(['Hell', 'o wo', 'rld'].map((piece) => ({ type: 'stream.text', text: piece })));
    expect(parts).toEqual([{ type: 'text', text: 'Hello world' }]);
  });

  test('reasoning kept and echoed', async () => {
    const calls = [{ name: 'look_up', arguments: { q: 'x' } }];
    const provider = await open(kind, { reasoning: 'I have to look.', signature: 'sig-1', calls }, { text: 'ok' });
    const seen: DeltaBody[] = [];
    const answer = await askIt(provider, { onDelta: (body) => seen.push(body) });
    const [, said] = await askedAfter(provider, answer, [text('found')]);
    const thoughts = seen.flatMap((body) => (body.type === 'stream.reasoning' ? [body.text] : [])).join('');
    if (!has(kind, 'reasoning')) {
      expect(thoughts).toBe('');
      expect(said).not.toHaveProperty('reasoning');
      return;
    }
    expect(thoughts).toBe('I have to look.');
    expect(answer.parts).toMatchObject([{ type: 'reasoning', text: 'I have to look.' }]);
    expect(said).toMatchObject({ reasoning: 'I have to look.', calls: [{ name: 'look_up', input: { q: 'x' } }] });
    expect(said?.signature).toBe(has(kind, 'signature') ? 'sig-1' : undefined);
  });

  test('usage', async () => {
    const provider = await open(kind, { text: 'x'.repeat(400), usage: { prompt: 700, completion: 30 } });
    const { usage, executionUnits } = await askIt(provider);
    // Without a count of the provider, a token is four characters.
    if (has(kind, 'usage')) expect(usage).toEqual({ prompt: 700, completion: 30 });
    else expect(usage).toEqual({ prompt: expect.any(Number), completion: 100, estimated: true });
    expect(usage.prompt).toBeGreaterThan(0);
    expect(executionUnits).toBe(usage.prompt + usage.completion);
  });

  test('cached usage', async () => {
    const provider = await open(kind, { text: 'x', usage: { prompt: 100, completion: 5 }, cached: 60 });
    const { usage } = await askIt(provider);
    if (has(kind, 'cached usage')) expect(usage).toEqual({ prompt: 100, completion: 5, cached: 60 });
    else expect(usage).not.toHaveProperty('cached');
  });

  test('length', async () => {
    const calls = [{ name: 'look_up', arguments: { q: 'x' } }];
    const provider = await open(
      kind,
      { text: 'Once upon a', finishReason: 'length' },
      { calls, finishReason: 'length' },
    );
    expect(await askIt(provider)).toMatchObject({ finishReason: 'length', parts: [{ text: 'Once upon a' }] });
    // Whatever was cut may have been meant to go on.
    expect((await askIt(provider)).toolRequests).toMatchObject([{ problem: { type: 'AnswerCut' } }]);
  });

  test('refusal', async () => {
    const provider = await open(kind, { refusal: 'I will not do that.' });
    if (!has(kind, 'refusal')) {
      expect(await askIt(provider)).toMatchObject({ parts: [{ type: 'text', text: 'I will not do that.' }] });
      return;
    }
    const failure = await failureOf(askIt(provider));
    expect(failure).toMatchObject({ type: 'Refused', nonRetryable: true });
    expect(failure.message).toContain('The model `m` refused to answer');
  });

  test('empty answer', async () => {
    const provider = await open(kind, {}, { fault: { kind: 'unfinished', after: 0 } });
    expect(await askIt(provider)).toMatchObject({ type: 'text', parts: [], toolRequests: [], finishReason: 'stop' });
    expect(await failureOf(askIt(provider))).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
  });
});
