import { ask, failureOf } from '../activities/model/asking';
import { EACH_API } from './stage/apis';
import { dribble, hostile, JSON_BODY, SSE, sent, stream, trickle } from './stage/hostile-model';

const tooSlow = { type: 'ModelAnswerTooSlow', nonRetryable: true };

describe.each(EACH_API)('%s', (_api, api) => {
  const whole = api.whole?.('done');

  describe('an endless answer that keeps arriving', () => {
    const answers: [string, object, string, string][] = [
      ['comments', SSE, '', ': alive\n\n'],
      ['single characters of a comment', SSE, '', ':'],
      ['pieces of a text', SSE, '', api.text('x')],
      ['events without content', SSE, '', api.padding('')],
      ['white space before a JSON text', JSON_BODY, '', ' '],
      ['characters of a JSON text', JSON_BODY, '{"choices":"', 'x'],
    ];

    test.each(answers)('%s: it ends at its limit, which the error names', async (_, headers, start, piece) => {
      const server = await hostile((response) => {
        response.writeHead(200, { ...headers }).write(start || piece);
        trickle(response, piece, 50);
      }, api.model);
      const failure = await failureOf(ask(server.config({ idleTimeout: 30_000, answerTimeout: 700 })));
      expect(failure).toMatchObject(tooSlow);
      expect(failure.message).toContain('not whole after 0.7 s, the limit is `answerTimeout`');
      await server.gone;
    });

    test('the time of the caller counts if it is shorter', async () => {
      const server = await hostile((response) => trickle(response.writeHead(200, SSE), ': alive\n\n', 50), api.model);
      const failure = await failureOf(ask(server.config({ answerTimeout: 60_000 }), { time: 500 }));
      expect(failure).toMatchObject(tooSlow);
      expect(failure.message).toContain('not whole after 0.5 s, the limit is `limits.modelTimeout` of the agent');
      await server.gone;
    });

    test.each<[string, boolean]>([
      ['headers', true],
      ['nothing at all', false],
    ])('a server that sends %s in the whole time is silent, and the call is made again', async (_, sendsHeaders) => {
      const server = await hostile(
        (response) => sendsHeaders && response.writeHead(200, SSE).flushHeaders(),
        api.model,
      );
      const failure = await failureOf(ask(server.config({ answerTimeout: 500 })));
      expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
      expect(failure.message).toContain('nothing arrived for 500 ms');
    });

    test('the partial text is kept, with its cost', async () => {
      const server = await hostile((response) => {
        response.writeHead(200, SSE).write(api.text('Once upon a time'));
        trickle(response, ': alive\n\n', 50);
      }, api.model);
      const failure = await failureOf(ask(server.config({ answerTimeout: 500 })));
      expect(failure.details?.[1]).toMatchObject({ parts: [{ text: 'Once upon a time' }], usage: { completion: 4 } });
    });

    test("after its finish_reason only the answer's end is waited for", async () => {
      const server = await hostile((response) => {
        response.writeHead(200, SSE).write(api.text('done') + api.ended());
        trickle(response, `: alive\n\n${api.padding('')}`, 50);
      }, api.model);
      const answer = ask(server.config({ answerTimeout: 10_000 }));
      if (api.endsWithStream) expect(await failureOf(answer)).toMatchObject(tooSlow);
      else expect((await answer).parts).toEqual([{ type: 'text', text: 'done' }]);
      await server.gone;
    });
  });

  describe('every byte is a sign of life', () => {
    /** Milliseconds of silence that are too long, and milliseconds between two bytes. */
    const SILENCE = 1000;
    const PAUSE = 150;

    const reads = whole === undefined ? test.skip : test;
    reads('a JSON text that arrives for longer than the silence limit is read', async () => {
      const server = await hostile((response) => {
        response.writeHead(200, JSON_BODY);
        dribble(response, whole?.match(/.{1,6}/gs) ?? [], PAUSE);
      }, api.model);
      const began = performance.now();
      expect((await ask(server.config({ idleTimeout: SILENCE }))).parts).toEqual([{ type: 'text', text: 'done' }]);
      expect(performance.now() - began).toBeGreaterThan(SILENCE);
    });

    test('so are comments, and pieces of a line', async () => {
      const server = await hostile((response) => {
        response.writeHead(200, SSE);
        const pieces = [': a', 'live', '\n', ...(': queued\n\n'.repeat(6).match(/.{10}/gs) ?? []), api.text('done')];
        dribble(response, pieces, PAUSE, api.ended());
      }, api.model);
      const began = performance.now();
      expect((await ask(server.config({ idleTimeout: SILENCE }))).parts).toEqual([{ type: 'text', text: 'done' }]);
      expect(performance.now() - began).toBeGreaterThan(SILENCE);
    });

    test.each<[string, object, string]>([
      ['a JSON text', JSON_BODY, '{"id":"x", "choices'],
      ['a stream', SSE, ': alive\n\n'],
    ])('silence in the middle of %s is silence', async (_, headers, beginning) => {
      const server = await hostile((response) => response.writeHead(200, { ...headers }).write(beginning), api.model);
      const failure = await failureOf(ask(server.config({ idleTimeout: 400 })));
      expect(failure).toMatchObject({ type: 'ModelUnavailable', nonRetryable: false });
      expect(failure.message).toContain('nothing arrived for 400 ms');
      await server.gone;
    });

    test('a silence or a time longer than any timer does not limit', async () => {
      const server = await sent(stream(api.text('done'), api.ended()), { model: api.model });
      const for100Years = 100 * 365 * 86_400_000;
      const config = server.config({ idleTimeout: for100Years, answerTimeout: for100Years });
      expect((await ask(config)).parts).toEqual([{ type: 'text', text: 'done' }]);
    });
  });
});

test('a finish_reason in every piece does not cut the text', async () => {
  const piece = (content: string) =>
    `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: 'stop' }] })}\n\n`;
  const server = await hostile((response) => {
    response.writeHead(200, SSE);
    dribble(response, [...'012345'].map(piece), 600, 'data: [DONE]\n\n');
  });
  expect((await ask(server.config())).parts).toEqual([{ type: 'text', text: '012345' }]);
});
