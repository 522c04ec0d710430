import { ask, failureOf, lookup } from '../activities/model/asking';
import { askedAfter, askIt, has, open, PNG, text, user } from './exchange';
import { PROVIDERS } from './wires';

const SCHEMA = {
  type: 'object',
  properties: { queue: { type: 'string' } },
  required: ['queue'],
  additionalProperties: false,
};

describe.each(PROVIDERS.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
  test('image in', async () => {
    const provider = await open(kind, { text: 'A cat.' });
    await askIt(provider, { messages: [user(text('What is this?'), PNG)] });
    expect(provider.requests[0]?.messages).toMatchObject([
      { role: 'user', text: 'What is this?', images: ['image/png'] },
    ]);
  });

  test('image in a tool result', async () => {
    const provider = await open(kind, { calls: [{ name: 'look_up', arguments: { q: 'x' } }] }, { text: 'A cat.' });
    const answer = await askIt(provider);
    const [, , result, next, ...more] = await askedAfter(provider, answer, [text('found'), PNG]);
    expect(more).toEqual([]);
    if (has(kind, 'images in results')) {
      expect([result, next]).toMatchObject([{ role: 'tool', text: 'found', images: ['image/png'] }, undefined]);
      return;
    }
    // The result says where the image is: in the message of the user that follows.
    expect(result).toMatchObject({ role: 'tool', images: [] });
    expect(result?.text).toBe('found\n[image, png: see the next user message]');
    expect(next).toMatchObject({
      role: 'user',
      text: 'Media from the result of look_up:',
      images: ['image/png'],
    });
  });

  test('stop sequence', async () => {
    const provider = await open(kind, { text: 'one two' });
    const answer = await ask(provider.model({ stop: ['STOP-7', 'STOP-8'] }), { tools: [lookup] });
    expect(answer).toMatchObject({ finishReason: 'stop', parts: [{ text: 'one two' }] });
    const body = JSON.stringify(provider.requests[0]?.body);
    // A protocol without stop sequences refuses a field of that name.
    if (has(kind, 'stop sequence')) expect(body).toContain('["STOP-7","STOP-8"]');
    else expect(body).not.toContain('STOP-7');
  });

  test('structured output', async () => {
    const provider = await open(kind, { text: '{"queue":"billing"}' });
    const asking = ask(provider.model(), { output: SCHEMA });
    if (!has(kind, 'structured output')) {
      const failure = await failureOf(asking);
      expect(failure).toMatchObject({ type: 'ModelRequestInvalid', nonRetryable: true });
      expect(failure.message).toContain('"response_format" is not supported');
      return;
    }
    expect(await asking).toMatchObject({ type: 'json', parts: [{ text: '{"queue":"billing"}' }] });
    expect(provider.requests[0]?.output).toMatchObject(SCHEMA);
  });

  test('extra body and headers arrive', async () => {
    const provider = await open(kind, { text: 'ok' });
    const settings = { extraBody: { safety_mode: 'strict-7' }, extraHeaders: { 'X-Team': 'blue' } };
    await ask(provider.model(settings), { tools: [lookup], headers: { traceparent: '00-1-2-01' } });
    const [request] = provider.requests;
    expect(JSON.stringify(request?.body)).toContain('"safety_mode":"strict-7"');
    expect(request?.headers).toMatchObject({ 'x-team': 'blue', traceparent: '00-1-2-01' });
  });
});
