import type { ServerResponse } from 'node:http';
import type { ApplicationFailure } from '@temporalio/common';
import { ask, failureOf } from '../activities/model/asking';
import { EACH_API } from './stage/apis';
import { bomb, costOf, hostile, JSON_BODY, pour, SSE, sent, stream } from './stage/hostile-model';

const MB = 1024 * 1024;
const GB = 1024 * MB;
/** Megabytes by which the memory may grow: a read buffer, a few times over, and the garbage of the test. */
const MOST = 150;

const tooLarge = { type: 'ModelAnswerTooLarge', nonRetryable: true };
const gzip = (headers: object) => ({ ...headers, 'content-encoding': 'gzip' });

describe.each(EACH_API)('%s', (_api, api) => {
  async function failsCheaply(answer: (response: ServerResponse) => unknown): Promise<ApplicationFailure> {
    const server = await hostile(answer, api.model);
    const { result, megabytes } = await costOf(() => failureOf(ask(server.config())));
    expect(megabytes).toBeLessThan(MOST);
    await server.gone;
    return result;
  }

  describe('an endless answer', () => {
    test.each<[string, object, string]>([
      ['one line', SSE, 'data: x'.repeat(8 * 1024)],
      ['the data of one event', SSE, 'data: x\n'.repeat(8 * 1024)],
      ['empty lines', SSE, '\n'.repeat(64 * 1024)],
      ['empty lines of two kinds', SSE, `${'\n'.repeat(64 * 1024)}\r`],
      ['comments', SSE, ': alive\n\n'.repeat(8 * 1024)],
      ['one JSON text', JSON_BODY, 'x'.repeat(64 * 1024)],
      ['white space before a JSON text', JSON_BODY, ' '.repeat(64 * 1024)],
      ['an invalid answer', { 'content-type': 'text/plain' }, 'x'.repeat(64 * 1024)],
    ])('%s: ends as too large, and takes little memory', async (_, headers, piece) => {
      const failure = await failsCheaply((response) => pour(response.writeHead(200, { ...headers }), piece, GB));
      expect(failure).toMatchObject(tooLarge);
      expect(failure.message).toContain('over 4 MB in one piece');
    });

    test('events without content: the error names the limit', async () => {
      const piece = api.padding('x'.repeat(32 * 1024));
      const failure = await failsCheaply((response) => pour(response.writeHead(200, SSE), piece, GB));
      expect(failure).toMatchObject(tooLarge);
      expect(failure.message).toContain(`over 64 MB, the limit ${api.limit}`);
    });

    test.each<[string, object]>([
      ['a stream', SSE],
      ['a JSON text', JSON_BODY],
    ])('%s that inflates to gigabytes is counted after decompression', async (_, headers) => {
      const body = bomb('data: 0', 2 * GB);
      const failure = await failsCheaply((response) => response.writeHead(200, gzip(headers)).end(body));
      expect(failure).toMatchObject(tooLarge);
    });

    test('a stream of events that inflates to gigabytes as well', async () => {
      const body = bomb(': x\n\n', 2 * GB);
      const failure = await failsCheaply((response) => response.writeHead(200, gzip(SSE)).end(body));
      expect(failure).toMatchObject(tooLarge);
    });
  });

  describe('the limit of an alias', () => {
    const body = stream(api.text('x'.repeat(2000)), api.ended());

    test('limits the bytes that may arrive', async () => {
      const server = await sent(body, { model: api.model });
      const failure = await failureOf(ask(server.config({ maxAnswerBytes: 1000 })));
      expect(failure).toMatchObject(tooLarge);
      expect(failure.message).toContain(`over 1000 bytes, the limit ${api.limit}`);
      expect((await ask(server.config({ maxAnswerBytes: 3000 }))).parts).toHaveLength(1);
    });

    // A package may not yet have passed on the end when its stream breaks.
    const keeps = api.isForeign ? test.skip : test;
    keeps('keeps an answer that had already ended', async () => {
      const server = await sent(`${body}${api.padding('x'.repeat(5000))}`, { model: api.model });
      expect((await ask(server.config({ maxAnswerBytes: 3000 }))).parts).toEqual([
        { type: 'text', text: 'x'.repeat(2000) },
      ]);
    });
  });

  describe('the body of an error', () => {
    const known = [
      [400, 'ModelRequestInvalid', true],
      [401, 'ModelUnauthorized', true],
      [429, 'ModelRateLimited', false],
      [500, 'ModelUnavailable', false],
    ] as const;

    test.each(known)('%d of hundreds of megabytes counts by its status', async (status, type, nonRetryable) => {
      const failure = await failsCheaply((response) =>
        pour(response.writeHead(status, JSON_BODY), '{"error":"'.padEnd(64 * 1024, 'x'), GB),
      );
      expect(failure).toMatchObject({ type, nonRetryable });
      expect(failure.message.length).toBeLessThan(1000);
    });

    test.each(known)('%d that inflates to gigabytes counts by its status', async (status, type, nonRetryable) => {
      const failure = await failsCheaply((response) =>
        response.writeHead(status, gzip(JSON_BODY)).end(bomb('{"error":', 2 * GB)),
      );
      expect(failure).toMatchObject({ type, nonRetryable });
    });

    test.each(known)('%d that never ends counts by its status', async (status, type, nonRetryable) => {
      const server = await hostile(
        (response) => response.writeHead(status, JSON_BODY).write('{"error":"half'),
        api.model,
      );
      const failure = await failureOf(ask(server.config({ idleTimeout: 500 })));
      expect(failure).toMatchObject({ type, nonRetryable });
      await server.gone;
    });

    test('nested beyond every stack counts by its status', async () => {
      const server = await sent(`{"error":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, {
        headers: JSON_BODY,
        status: 401,
        model: api.model,
      });
      expect(await failureOf(ask(server.config()))).toMatchObject({ type: 'ModelUnauthorized', nonRetryable: true });
    });

    test('with a message of 4 MB in the stream is shown in part', async () => {
      const server = await sent(api.failed('exceeds '.repeat(500_000)), {
        model: api.model,
      });
      const { result, blocked } = await costOf(() => failureOf(ask(server.config())));
      expect(result).toMatchObject({ type: 'ModelUnauthorized' });
      expect(result.message.length).toBeLessThan(1000);
      expect(blocked).toBeLessThan(1000);
    });
  });
});
