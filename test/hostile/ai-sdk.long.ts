import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { KEY } from '../adapters/provider';
import { anthropic, google } from './stage/ai-sdk-apis';
import type { HostileApi } from './stage/hostile-api';
import { bomb, JSON_BODY, pour, SSE, trickle } from './stage/hostile-model';
import { outcomeOf } from './stage/outcome';

const MB = 1024 * 1024;
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const arrays = (count: number) => `[${'[],'.repeat(count)}1]`;
const fields = (count: number) => `{${Array.from({ length: count }, (_, i) => `"f${i}":1,`).join('')}"q":"x"}`;
const data = (json: string) => `data: ${json}\n\n`;

/** Events with strange JSON at every place that a package reads. */
const placesOf = (api: HostileApi, json: string): string[] =>
  api === anthropic
    ? [
        data(`{"type":"ping","x":${json}}`),
        data(`{"type":"strange","x":${json}}`),
        data(
          `{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"a","name":"look_up","input":{"q":${json}}}}`,
        ),
        data(
          `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_details":${json}},"usage":{"output_tokens":1}}`,
        ),
      ]
    : [
        data(`{"candidates":[],"x":${json}}`),
        data(`{"candidates":[{"content":{"parts":${json}}}]}`),
        data(`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"look_up","args":{"q":${json}}}}]}}]}`),
        data(`{"candidates":[{"groundingMetadata":${json},"safetyRatings":${json}}]}`),
      ];

const write = (body: string | Buffer, headers: object = SSE, status = 200) =>
  ((response) => response.writeHead(status, { ...headers }).end(body)) satisfies (response: ServerResponse) => unknown;

describe.each([anthropic, google].map((api) => [api.name, api] as const))('%s with safeFetch', (_api, api) => {
  const done = api.text('done') + api.ended();
  const call = (args: string) =>
    api.call({ index: 0, id: 'a', name: 'look_up', arguments: args }) + api.ended({ calls: true });
  const saysDone = { answer: expect.objectContaining({ parts: [{ type: 'text', text: 'done' }] }) };

  describe('JSON that is dear to read', () => {
    test.each([
      ['levels', nested(1_900_000), 'nested deeper than 2000 levels'],
      ['a few levels too many', nested(2100), 'nested deeper than 2000 levels'],
      ['values', arrays(1_300_000), 'made of more than 20000 values'],
      ['fields', fields(300_000), 'made of more than 20000 values'],
    ])('%s', async (_, json, problem) => {
      for (const place of placesOf(api, json)) {
        const { failure } = await outcomeOf(api, write(place + done));
        expect(failure).toMatch(/^ModelAnswerUnreadable: /);
        expect(failure).toContain(`one event of its stream is ${problem}`);
      }
      const { failure } = await outcomeOf(api, write(json, JSON_BODY));
      expect(failure).toMatch(/^ModelAnswerUnreadable: /);
    });

    test.each([
      ['levels that a package may read', nested(1900)],
      ['members of Object.prototype', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'],
      ['numbers that no machine can represent', '[1e400,-0,9e999]'],
    ])('%s', async (_, json) => {
      for (const place of placesOf(api, json)) await outcomeOf(api, write(place + done));
    });

    test('brackets and commas in a text do not count as values', async () => {
      const text = '[{,"'.repeat(50_000);
      const { answer } = await outcomeOf(api, write(api.text(text) + api.ended()));
      expect(answer?.parts).toEqual([{ type: 'text', text }]);
    });
  });

  describe('an answer of many pieces', () => {
    test.each<[string, string]>([
      ['300,000 characters one by one', api.text('x').repeat(300_000) + api.ended()],
      ['300,000 events without content', api.padding('').repeat(300_000) + done],
      ['text and reasoning in alternation', (api.text('x') + api.reasoning('y')).repeat(100_000) + api.ended()],
      [
        '10,000 calls',
        Array.from({ length: 10_000 }, (_, index) =>
          api.call({ index, id: `c${index}`, name: 'look_up', arguments: '{"q":"x"}' }),
        ).join('') + api.ended({ calls: true }),
      ],
      ['lines that end in both ways', `${'\n'.repeat(65_535)}\r${done}`],
    ])('%s', async (_, body) => {
      expect((await outcomeOf(api, write(body))).answer).toBeDefined();
    });
  });

  describe('arguments of a call', () => {
    test.each<[string, string, object]>([
      ['of 3.5 MB', JSON.stringify({ q: 'x'.repeat(3_500_000) }), { problem: { type: 'AnswerCut' } }],
      ['of many values', `{"q":${arrays(19_000)}}`, { problem: {} }],
      ['that are deep', `{"q":${nested(1900)}}`, { problem: {} }],
      ['of half characters and NUL', '{"q":"\\ud800x\\udfff\\u0000"}', { input: {} }],
      [
        'with members of Object.prototype',
        '{"q":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
        {},
      ],
    ])('%s', async (_, args, expected) => {
      const { answer, failure } = await outcomeOf(api, write(call(args)));
      // A package may refuse the whole event.
      if (answer === undefined) expect(failure).toMatch(/^Model(AnswerUnreadable|Unavailable): /);
      else expect(answer.toolRequests).toMatchObject([expected]);
    });
  });

  describe('strange encodings', () => {
    const bytes = Buffer.from(done);
    const broken = Buffer.concat([
      Buffer.from(api.text('a§b').split('§')[0] ?? ''),
      Buffer.from([0xff, 0xfe, 0xc3]),
      Buffer.from(api.text('a§b').split('§')[1] ?? ''),
    ]);

    test.each<[string, Buffer]>([
      ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])],
      ['carriage returns', Buffer.from(done.replaceAll('\n', '\r'))],
      ['both', Buffer.from(done.replaceAll('\n', '\r\n'))],
    ])('%s', async (_, body) => expect(await outcomeOf(api, write(body))).toEqual(saysDone));

    test('bytes that are not UTF-8 are replaced', async () => {
      const { answer } = await outcomeOf(api, write(Buffer.concat([broken, Buffer.from(api.ended())])));
      expect(answer?.parts).toEqual([{ type: 'text', text: expect.stringMatching(/^a\ufffd+b$/) }]);
    });

    test('UTF-16 has no event', async () => {
      const { failure } = await outcomeOf(api, write(Buffer.from(done, 'utf16le')));
      expect(failure).toMatch(/^ModelUnavailable: /);
    });

    test('NUL and half characters in a text', async () => {
      const escaped = api.text('§').replace('§', '\\u0000\\ud800x');
      const { answer } = await outcomeOf(api, write(escaped + api.ended()));
      expect(answer?.parts).toMatchObject([{ type: 'text', text: expect.stringContaining('x') }]);
    });

    test('an answer byte by byte', async () => {
      const single = [...Buffer.from(api.text('größer') + api.ended())];
      const { answer } = await outcomeOf(api, async (response) => {
        response.writeHead(200, SSE);
        for (const byte of single) await new Promise((sent) => response.write(Buffer.from([byte]), sent));
        response.end();
      });
      expect(answer?.parts).toEqual([{ type: 'text', text: 'größer' }]);
    });

    test.each<[string, object, Buffer]>([
      ['gzip', { 'content-encoding': 'gzip' }, gzipSync(bytes)],
      ['brotli', { 'content-encoding': 'br' }, brotliCompressSync(bytes)],
      ['gzip in gzip', { 'content-encoding': 'gzip, gzip' }, gzipSync(gzipSync(bytes))],
    ])('%s is read', async (_, headers, body) =>
      expect(await outcomeOf(api, write(body, { ...SSE, ...headers }))).toEqual(saysDone),
    );

    test.each<[string, object, Buffer]>([
      ['what is not gzip', { 'content-encoding': 'gzip' }, bytes],
      ['half of a gzip', { 'content-encoding': 'gzip' }, gzipSync(bytes).subarray(0, 30)],
      ['an unknown encoding', { 'content-encoding': 'rot13' }, gzipSync(bytes)],
      ['a hundred encodings', { 'content-encoding': Array(100).fill('gzip').join(', ') }, gzipSync(bytes)],
    ])('%s is a failure that is made again', async (_, headers, body) => {
      const { failure } = await outcomeOf(api, write(body, { ...SSE, ...headers }));
      expect(failure).toMatch(/^Model(Unavailable|AnswerUnreadable): /);
    });

    test('a bomb in a bomb', async () => {
      const body = gzipSync(bomb(': x\n\n', 1024 * MB));
      const { failure } = await outcomeOf(api, write(body, { ...SSE, 'content-encoding': 'gzip, gzip' }));
      expect(failure).toMatch(/^ModelAnswerTooLarge: /);
    });
  });

  describe('strange headers', () => {
    test.each<[string, object]>([
      ['a page', { 'content-type': 'text/html' }],
      ['a page with a name', { 'content-type': `text/html; key=${KEY}` }],
    ])('%s is not an answer', async (_, headers) => {
      const { failure } = await outcomeOf(api, write('<script>', headers));
      expect(failure).toMatch(/^ModelAnswerUnreadable: /);
    });

    test.each<[string, object]>([
      ['a picture', { 'content-type': 'image/png' }],
      ['nothing', {}],
      ['a text', { 'content-type': 'text/plain' }],
      ['binary data', { 'content-type': 'application/octet-stream' }],
    ])('a stream that calls itself %s is read anyway', async (_, headers) =>
      expect(await outcomeOf(api, write(done, headers))).toEqual(saysDone),
    );

    test.each<[string, object]>([
      ['a picture', { 'content-type': 'image/png' }],
      ['nothing', {}],
      ['binary data', { 'content-type': 'application/octet-stream' }],
    ])('an endless line that calls itself %s is too large', async (_, headers) => {
      const { failure } = await outcomeOf(api, (response) =>
        pour(response.writeHead(200, { ...headers }), 'x'.repeat(64 * 1024), 1024 * MB),
      );
      expect(failure).toMatch(/^ModelAnswerTooLarge: .*over 4 MB in one piece/);
    });

    test('a header of a megabyte', async () => {
      const { failure } = await outcomeOf(api, write(done, { ...SSE, 'x-long': 'x'.repeat(MB) }));
      expect(failure).toMatch(/^ModelUnavailable: .*Headers Overflow/);
    });

    test('headers without end', async () => {
      const { failure } = await outcomeOf(api, ({ socket }) => {
        socket?.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket?.write(`x-${'y'.repeat(1000)}: z\r\n`), 1);
        socket?.on('close', () => clearInterval(timer));
      });
      expect(failure).toMatch(/^ModelUnavailable: /);
    });

    test('headers that come letter by letter are silence', async () => {
      const slowly = (response: ServerResponse) => {
        const { socket } = response;
        const timer = setInterval(() => socket?.write('x'), 20);
        socket?.on('close', () => clearInterval(timer));
        socket?.write('HTTP/1.1 200 OK\r\nx-');
      };
      const { failure } = await outcomeOf(api, slowly, { idleTimeout: 300 });
      expect(failure).toMatch(/^ModelUnavailable: .*nothing arrived for 300 ms/);
    });

    test('what is not HTTP', async () => {
      const { failure } = await outcomeOf(api, ({ socket }) => socket?.end('220 mail.example.com ESMTP\r\n'));
      expect(failure).toMatch(/^ModelUnavailable: /);
    });

    test('thousands of early hints', async () => {
      expect(
        await outcomeOf(api, (response) => {
          for (let i = 0; i < 5000; i++) response.writeEarlyHints({ link: '</a.css>; rel=preload' });
          response.writeHead(200, SSE).end(done);
        }),
      ).toEqual(saysDone);
    });

    test.each([
      ['to itself, without end', '', /^ModelRequestInvalid: .*it redirects more than 5 times/],
      ['to an address with the key', `http://${KEY}:x@169.254.169.254/`, /^ModelRequestInvalid: .*169\.254\.169\.254/],
      ['to an invalid address', 'http://[', /^ModelRequestInvalid: .*it redirects to an invalid address/],
      ['to a file', 'file:///etc/passwd', /^ModelRequestInvalid: .*another origin/],
    ])('a redirect %s', async (_, location, problem) => {
      const { failure } = await outcomeOf(api, (response) => response.writeHead(307, { location }).end());
      expect(failure).toMatch(problem);
    });
  });

  describe('a stream that never ends', () => {
    test.each<[string, string]>([
      ['in comments', ': alive\n\n'],
      ['in events without content', api.padding('')],
      ['in words', api.text('and ')],
      ['in a line', 'data'],
    ])('%s ends at the time limit', async (_, piece) => {
      const endless = (response: ServerResponse) => trickle(response.writeHead(200, SSE), piece, 20);
      const { failure } = await outcomeOf(api, endless, { answerTimeout: 3000, idleTimeout: 2000 });
      expect(failure).toMatch(/^ModelAnswerTooSlow: .*`answerTimeout`/);
    });

    test('after its headers is silence', async () => {
      const silent = (response: ServerResponse) => response.writeHead(200, SSE).flushHeaders();
      const { failure } = await outcomeOf(api, silent, { idleTimeout: 300 });
      expect(failure).toMatch(/^ModelUnavailable: .*nothing arrived for 300 ms/);
    });
  });

  describe('a key that the server repeats is in no error', () => {
    const said = `your key ${KEY} (${encodeURIComponent(KEY)}, Bearer ${KEY}) is wrong`;
    const wrong = { error: { type: 'authentication_error', code: 401, status: 'UNAUTHENTICATED', message: said } };

    test.each<[string, (response: ServerResponse) => unknown, RegExp]>([
      [
        'in an error',
        write(JSON.stringify({ type: 'error', ...wrong }), JSON_BODY, 401),
        /^ModelUnauthorized: .*your key \*\*\*/,
      ],
      ['in a text', write(said, { 'content-type': 'text/plain' }, 401), /^ModelUnauthorized: .*your key \*\*\*/],
      ['in the stream', write(api.text('x') + api.failed(said)), /^Model(Unauthorized|Unavailable): .*your key \*\*\*/],
      ['at its beginning', write(api.failed(said)), /^Model(Unauthorized|Unavailable): .*your key \*\*\*/],
      ['in broken JSON', write(data(`{"type":"${KEY}`)), /^ModelUnavailable: /],
      ['in an unknown event', write(data(JSON.stringify({ type: KEY, [KEY]: KEY }))), /^Model/],
      [
        'in a status',
        ({ socket }) => socket?.end(`HTTP/1.1 401 no ${KEY}\r\ncontent-length: 0\r\n\r\n`),
        /^ModelUnauthorized: /,
      ],
      [
        'in an error that never ends',
        (response) => response.writeHead(401, JSON_BODY).write(JSON.stringify(wrong)),
        /^ModelUnauthorized: .*your key \*\*\*/,
      ],
    ])('%s', async (_, answer, expected) => {
      // On a busy machine the answers that do end take a while.
      const { failure } = await outcomeOf(api, answer, { idleTimeout: 3000 });
      expect(failure).toMatch(expected);
    });
  });
});
