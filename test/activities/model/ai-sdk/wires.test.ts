import { ModelCallStopped } from '../../../../activities/model/answer/stream-answer';
import type { DeltaBody } from '../../../../agent/protocol/stream';
import { askedAfter, askIt, followed, has, open, PNG, text, user } from '../../../adapters/exchange';
import { WIRE_RULES } from '../../../adapters/wire-rules';
import { overHttp } from '../../../adapters/wire-server';
import { anthropic } from '../../../adapters/wires/anthropic';
import { google } from '../../../adapters/wires/google';
import { ask, failureOf } from '../asking';

describe.each([anthropic, google].map((wire) => [wire.name, overHttp(wire)] as const))('%s', (_, kind) => {
  const calls = ['a', 'b'].map((q) => ({ name: 'look_up', arguments: { q } }));

  test('reasoning, text and parallel calls stream, and go back with their results', async () => {
    const reply = { reasoning: 'I have to look.', signature: 'sig-1', text: 'Looking up.', calls, chunkSize: 4 };
    const provider = await open(kind, reply, { text: 'ok' });
    const seen: DeltaBody[] = [];
    const answer = await askIt(provider, { onDelta: (body) => seen.push(body) });
    const texts = seen.flatMap((body) => (body.type === 'stream.text' ? [body.text] : []));
    expect(texts).toEqual(['Look', 'ing ', 'up.']);
    expect(answer.toolRequests).toMatchObject([{ input: { q: 'a' } }, { input: { q: 'b' } }]);
    const pieces = seen.filter(({ type }) => type === 'stream.tool').length;
    expect(pieces > 6).toBe(has(kind, 'calls in pieces'));
    const [, said, ...results] = await askedAfter(provider, answer, [text('found a'), PNG], [text('found b')]);
    expect(said).toMatchObject({ reasoning: 'I have to look.', signature: 'sig-1', text: 'Looking up.' });
    expect(results).toMatchObject([
      { text: 'found a', images: ['image/png'], resultOf: said?.calls[0]?.id },
      { text: 'found b', images: [], resultOf: said?.calls[1]?.id },
    ]);
  });

  test('of an answer that is only a thought nothing goes back: servers refuse it, and a text of blanks', async () => {
    const provider = await open(kind, { reasoning: 'Hm.', text: '\n' }, { text: 'ok' });
    const answer = await askIt(provider);
    expect(answer.parts).toMatchObject([{ type: 'reasoning' }, { type: 'text' }]);
    await askIt(provider, { messages: [user(text('One?')), ...followed(answer), user(text('Two?'))], call: 2 });
    const request = await provider.request(2);
    expect(WIRE_RULES[kind.name]?.(request)).toEqual([]);
    expect(request.messages.filter(({ role }) => role === 'assistant')).toEqual([]);
  });

  test('a silence ends the call and closes the socket', async () => {
    const provider = await open(kind, { text: 'hello', chunkSize: 5, fault: { kind: 'stall', after: 5 } });
    const failure = await failureOf(ask(provider.model({ idleTimeout: 300 })));
    expect(failure.message).toContain('nothing arrived for 300 ms');
    await provider.requests[0]?.closed;
  });

  test('an abort closes the socket, wherever the answer is', async () => {
    const hour = 3_600_000;
    const provider = await open(kind, { delay: hour }, { text: 'hello', fault: { kind: 'stall', after: 5 } });
    for (const number of [1, 2]) {
      const stop = new AbortController();
      const call = askIt(provider, { signal: stop.signal, onDelta: () => stop.abort() });
      const request = await provider.request(number);
      if (number === 1) stop.abort();
      await expect(call).rejects.toThrow(ModelCallStopped);
      await request.closed;
    }
  });
});
