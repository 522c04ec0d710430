import { ask } from '../activities/model/asking';
import { lookup } from '../activities/model/lookup';
import { askedAfter, askIt, has, open, PNG, text, user } from './exchange';
import type { Asked } from './wire';
import { PROVIDERS } from './wires';

const SCHEMA = {
  type: 'object',
  properties: { queue: { type: 'string' } },
  required: ['queue'],
};

const JSON_ANSWER = { text: '{"queue":"billing"}' };

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
    const provider = await open(kind, JSON_ANSWER, JSON_ANSWER, JSON_ANSWER);
    const answer = await ask(provider.model(), { output: SCHEMA });
    expect(answer).toMatchObject({ type: 'json', parts: [{ text: '{"queue":"billing"}' }] });
    if (has(kind, 'structured output')) {
      expect(provider.requests).toMatchObject([{ output: SCHEMA }]);
      expect(answer).not.toHaveProperty('downgraded');
      return;
    }
    // The server refuses the schema, and any JSON: then only the prompt asks for it.
    expect(answer.downgraded).toMatchObject({ from: 'schema', to: 'prompt' });
    expect(answer.downgraded?.why).toContain('not supported');
    expect(provider.requests).toHaveLength(3);
    expect(provider.requests[2]).not.toHaveProperty('output');
    expect(provider.requests[2]?.system).toContain(JSON.stringify(SCHEMA));
  });

  test('downgrade of structured output', async () => {
    const refuse = { kind: 'status', status: 400, message: 'response_format is not supported by this model' } as const;
    const step = (asked: Asked) => (asked.output === undefined ? JSON_ANSWER : { fault: refuse });
    const provider = await open(kind, step, step, step, JSON_ANSWER);
    const answer = await ask(provider.model(), { output: SCHEMA, system: 'Sort.' });
    expect(answer).toMatchObject({ type: 'json', parts: [{ text: '{"queue":"billing"}' }] });
    expect(answer.downgraded).toMatchObject({ from: 'schema', why: expect.stringContaining('not supported') });
    const last = provider.requests.at(-1);
    expect(last).not.toHaveProperty('output');
    expect(last?.system).toMatch(/^Sort\./);
    expect(last?.system).toContain(JSON.stringify(SCHEMA));
    // What the run has learned, the next call does not try again.
    const before = provider.requests.length;
    await ask(provider.model(), { output: SCHEMA, structuredOutput: answer.downgraded?.to });
    expect(provider.requests).toHaveLength(before + 1);
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
