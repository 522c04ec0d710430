import { call } from '../../kit/scripted-model';
import { forEver, head, MB, nested, pour, sendBomb, times } from '../stage/wire';
import { DONE, type HttpCall, type HttpInput, type McpFault } from './input';

const server = (
  name: string,
  does: string,
  told: RegExp,
  answer: McpFault['call'],
  more: Partial<HttpInput> = {},
): HttpInput => ({
  name,
  does,
  script: [call('s_do', {})],
  told: [told],
  end: { data: DONE },
  server: { call: answer as NonNullable<McpFault['call']> },
  ...more,
});

const JSON_TYPE = 'application/json';
const STREAM = 'text/event-stream';
const FINE = /^fine$/;
const UNKNOWN = /^OutcomeUnknown: /;
const event = (message: object) => `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
const fine = (id: number) => event({ id, result: { content: [{ type: 'text', text: 'fine' }] } });

/** A stream of events that ends with an ordinary answer. */
const before = (pieces: (params: HttpCall) => Iterable<string>) => async (given: HttpCall) => {
  head(given.out, STREAM);
  await pour(given.out, pieces(given));
  given.out.end(fine(given.id));
};

const tokenOf = ({ params }: HttpCall) => (params?._meta as { progressToken?: number } | undefined)?.progressToken ?? 0;

export const MCP_HTTP: readonly HttpInput[] = [
  server(
    'cut',
    'cuts the connection in the middle of an answer',
    UNKNOWN,
    async ({ out, id }) => {
      head(out, JSON_TYPE);
      await pour(out, [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"con`], 20);
      out.destroy();
    },
    { quick: true },
  ),
  server('many-values', 'gives a result of ten million values', UNKNOWN, async ({ out, id }) => {
    head(out, JSON_TYPE);
    out.end(
      `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"a":[${'{},'.repeat(10_000_000)}{}]}}}`,
    );
  }),
  server('silence', 'never answers', UNKNOWN, () => undefined),
  server('wrong-type', 'answers with a web page', UNKNOWN, ({ out }) => {
    head(out, 'text/html');
    out.end('<html>fine</html>');
  }),
  server(
    'lost-session',
    'has lost the session, and loses each new one',
    /^(McpServerFailed|OutcomeUnknown): /,
    (given) => {
      head(given.out, JSON_TYPE, { status: 404 });
      given.out.end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
    },
  ),
  server('huge-body', 'answers with an endless body', UNKNOWN, async ({ out, id }) => {
    head(out, JSON_TYPE);
    await pour(out, [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`]);
    await pour(out, forEver('x'.repeat(MB)));
  }),
  server('gzip-bomb', 'answers with a gigabyte compressed to one megabyte', UNKNOWN, ({ out }) =>
    sendBomb(out, JSON_TYPE),
  ),
  server('error-bomb', 'answers with an error of a gigabyte compressed to one megabyte', /^\w+: /, ({ out }) =>
    sendBomb(out, 'text/plain', 500),
  ),
  server('endless-event', 'sends an endless event', UNKNOWN, async ({ out }) => {
    head(out, STREAM);
    await pour(out, ['data: ']);
    await pour(out, forEver('x'.repeat(MB)));
  }),
  server(
    'endless-events',
    'sends unsolicited events without limit',
    /^OutcomeUnknown: .*it sent more than 25000 unsolicited messages/,
    async ({ out }) => {
      head(out, STREAM);
      await pour(out, forEver(event({ id: 4711, result: { content: [] } }).repeat(100)));
    },
    { patient: true },
  ),
  server('progress-flood', 'reports progress 60,000 times', FINE, (given) =>
    before((params) =>
      times(60_000, (progress) =>
        event({ method: 'notifications/progress', params: { progressToken: tokenOf(params), progress } }),
      ),
    )(given),
  ),
  server(
    'request-flood',
    'requests samples, roots and forms 20,000 times',
    FINE,
    before(() =>
      times(20_000, (i) =>
        event({ id: `q${i}`, method: ['sampling/createMessage', 'roots/list', 'elicitation/create'][i % 3] ?? '' }),
      ),
    ),
    { patient: true },
  ),
  server('deep-result', 'gives a result nested 4,300 deep', UNKNOWN, ({ out, id }) => {
    head(out, JSON_TYPE);
    out.end(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":{"deep":${nested(4300)}}}}`,
    );
  }),
  server('redirect', 'redirects a call to another server', /^(McpServerFailed|OutcomeUnknown): /, ({ out }) => {
    head(out, 'text/plain', { status: 307, location: 'http://169.254.169.254/latest/meta-data' });
    out.end();
  }),
  server('circle', 'redirects a call to itself', /^(McpServerFailed|OutcomeUnknown): /, ({ out }) => {
    head(out, 'text/plain', { status: 307, location: '?' });
    out.end();
  }),
  server('bad-headers', 'answers with bytes that are not HTTP', UNKNOWN, ({ out }) => {
    out.socket?.end('HTTP/1.1 200 OK\r\nX-\u0000: 1\r\nContent-Length: -7\r\n\r\n{}');
  }),
  server('many-headers', 'answers with headers of 10 MB', UNKNOWN, async ({ out }) => {
    out.socket?.write('HTTP/1.1 200 OK\r\n');
    for (let i = 0; i < 10; i++) out.socket?.write(`X-${i}: ${'x'.repeat(MB)}\r\n`);
    out.socket?.end('\r\n{}');
  }),
];
