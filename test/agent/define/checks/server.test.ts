import { checkServer, EXPECTED_TOOLS, urlProblem } from '../../../../agent/define/checks/server';
import type { McpServer } from '../../../../agent/define/mcp-server';
import { fault } from '../../fault';

const url = 'https://a.b/mcp';
const client = { clientId: 'holdfast', clientSecret: { env: 'SECRET' } };
// A caller without types could write this.
const check = (server: unknown) => () => checkServer(server as McpServer, 'mcp.crm');

const NEITHER = 'Expected an alias of `mcp` in temporal.yaml, or a definition with a `command` or a `url`';
const time = (got: unknown) => `Expected milliseconds or a duration such as '30s', got \`${got}\``;

it.each<[string, unknown, string]>([
  ['an alias without a name', '', `: ${NEITHER}`],
  ['a number', 7, `: ${NEITHER}`],
  ['nothing', null, `: ${NEITHER}`],
  ['a missing definition', undefined, `: ${NEITHER}`],
  ['a definition of nothing', {}, `: ${NEITHER}`],
  ['an empty command', { command: '' }, `: ${NEITHER}`],
  ['a command that is a list', { command: ['npx', 'crm'] }, `: ${NEITHER}`],
  [
    'a command and an address',
    { command: 'crm', url },
    ': Expected an alias of `mcp` in temporal.yaml, or either a `command` or a `url`, got both',
  ],
  ['a misspelt field', { command: 'crm', arg: [] }, '.arg: Unknown field; did you mean `args` or `url`?'],
  ['an invalid address', { url: 'localhost:80' }, '.url: Expected a URL such as `https://example.com/mcp`'],
  ['an unknown transport', { url, transport: 'ws' }, ".transport: Expected 'http' or 'sse'"],
  [
    'a secret in a header',
    { url, headers: { Authorization: 'Bearer s3cret' } },
    ".headers.Authorization: Expected `{ env: 'NAME' }`: keep secrets in the environment, and plain values in temporal.yaml",
  ],
  ['auth of nothing', { url, auth: null }, '.auth: Expected a `clientId` and a `clientSecret`'],
  [
    'auth without a client',
    { url, auth: { clientSecret: { env: 'S' } } },
    '.auth.clientId: Expected the id of the client at the authorization server',
  ],
  [
    'a secret in auth',
    { url, auth: { clientId: 'a', clientSecret: 's3cret' } },
    ".auth.clientSecret: Expected `{ env: 'NAME' }`: keep secrets in the environment, and plain values in temporal.yaml",
  ],
  [
    'scopes in one text',
    { url, auth: { ...client, scopes: ['a b'] } },
    '.auth.scopes: Expected a list of scopes, each without spaces',
  ],
  [
    'an invalid issuer',
    { url, auth: { ...client, issuer: 'auth' } },
    '.auth.issuer: Expected a URL such as `https://auth.example.com`',
  ],
  [
    'a misspelt field of auth',
    { url, auth: { ...client, scope: [] } },
    '.auth.scope: Unknown field; did you mean `scopes`?',
  ],
  [
    'two credentials',
    { url, auth: client, headers: { authorization: { env: 'TOKEN' } } },
    ': Expected either `auth` or a header `Authorization`, got both',
  ],
  [
    'auth of a command',
    { command: 'crm', auth: client },
    '.auth: A server with a `command` gets its credentials in `env`',
  ],
  [
    'an unknown approval',
    { command: 'crm', approval: 'some' },
    '.approval: Expected `never`, `always` or `hints`, got `some`',
  ],
  [
    'an unknown execution',
    { command: 'crm', execution: 'queue' },
    '.execution: Expected one of `parallel`, `serial`, got `queue`',
  ],
  ['an invalid start timeout', { command: 'crm', startTimeout: 'soon' }, `.startTimeout: ${time('soon')}`],
  ['tools that are a text', { command: 'crm', tools: 'get' }, `.tools: ${EXPECTED_TOOLS}`],
  ['no tools at all', { command: 'crm', tools: [] }, `.tools: ${EXPECTED_TOOLS}`],
  ['an invalid timeout', { url, timeout: -1 }, `.timeout: ${time(-1)}`],
])('%s is refused as a server', (_what, server, text) => {
  expect(fault(check(server))).toBe(`mcp.crm${text}`);
});

it.each<[string, unknown]>([
  ['an alias', 'crm'],
  ['a command', { command: 'crm' }],
  ['a command and an empty address', { command: 'crm', url: '' }],
  ['an address', { url }],
  ['an address for Streamable HTTP', { url, transport: 'http', approval: 'never' }],
  ['an address for SSE', { url, transport: 'sse', approval: 'always' }],
  ['an address with auth', { url, auth: { ...client, scopes: ['a', 'b:c'], issuer: 'https://auth.b' } }],
  ['an address with headers', { url, headers: { Authorization: { env: 'TOKEN' } } }],
  [
    'a command that says everything',
    { command: 'crm', tools: ['get_*'], approval: 'hints', execution: 'serial', startTimeout: '1m', timeout: 1 },
  ],
])('a server may be %s', (_what, server) => {
  expect(check(server)).not.toThrow();
});

it.each(['', 'crm', 'ftp://a.b', 'xhttp://a.b', 'https://', 'https:///a', 'https://a b', 'https://a.b:port'])(
  '%j is not an address',
  (address) => {
    expect(urlProblem(address)).toBe('Expected a URL such as `https://example.com/mcp`');
    expect(urlProblem(address, 'https://a.b/in')).toBe('Expected a URL such as `https://a.b/in`');
  },
);

it.each(['https://u@a.b', 'https://u:p@a.b', 'https://:p@a.b'])('%s contains credentials', (address) => {
  expect(urlProblem(address)).toBe('Expected a URL without user name and password; send an `Authorization` header');
});

it.each(['http://localhost:80', 'https://a.b/mcp?key=1'])('%s is an address', (address) => {
  expect(urlProblem(address)).toBeUndefined();
});
