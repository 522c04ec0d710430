// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of temporal.yaml are written so.
import { entry, YamlFolder } from './yaml-folder';

const yaml = new YamlFolder();
const load = async (server: string, env = {}) => (await yaml.load(entry('mcp', 'crm', server), env)).mcp.crm;

test('a server over HTTP gets its headers from the environment, and no working directory', async () => {
  const settings =
    'url: https://crm.example.com/mcp\nheaders: {Authorization: "Bearer ${TOKEN}", X-Version: 3}\ntimeout: 2m';
  expect(await load(settings, { TOKEN: 'abc' })).toEqual({
    url: 'https://crm.example.com/mcp',
    headers: { Authorization: 'Bearer abc', 'X-Version': '3' },
    timeout: 120_000,
  });
  const asks = 'command: crm\ncwd: /\napproval: hints\nexecution: serial';
  expect(await load(asks)).toEqual({ command: 'crm', cwd: '/', approval: 'hints', execution: 'serial' });
  const auth =
    'auth: {clientId: holdfast, clientSecret: "${SECRET}", scopes: [a, b], issuer: https://auth.example.com}';
  expect(await load(`url: https://crm.example.com/mcp\n${auth}`, { SECRET: 's3cret' })).toEqual({
    url: 'https://crm.example.com/mcp',
    auth: { clientId: 'holdfast', clientSecret: 's3cret', scopes: ['a', 'b'], issuer: 'https://auth.example.com' },
  });
  const sse = 'url: http://localhost:1/sse\ntransport: sse\ntrusted: true';
  expect(await load(sse)).toEqual({ url: 'http://localhost:1/sse', transport: 'sse', trusted: true });
});

test.each([
  ['neither a command nor an address', 'trusted: true', 'Expected a `command`, or the `url` of a server'],
  ['a misspelt setting', 'url: https://a.b/mcp\nheader: {}', '4:5 There is no `header` here; did you mean `headers`?'],
  ['a command beside the address', 'url: https://a.b/mcp\ncommand: npx', '4:5 There is no `command` here'],
  [
    'a client without a secret',
    'url: https://a.b/mcp\nauth: {clientId: a}',
    '`mcp.crm.auth.clientSecret`: Expected a string, it has no value',
  ],
  [
    'scopes that are not a list',
    'url: https://a.b/mcp\nauth: {clientId: a, clientSecret: b, scopes: c}',
    '`mcp.crm.auth.scopes`: Expected a list of scopes',
  ],
  [
    'auth beside a header',
    'url: https://a.b/mcp\nauth: {clientId: a, clientSecret: b}\nheaders: {authorization: c}',
    '`mcp.crm`: Expected either `auth` or a header `Authorization`, got both',
  ],
  ['an invalid address', 'url: localhost:80', '3:10 `mcp.crm.url`: Expected a URL'],
  ['a password in the address', 'url: "https://u:${TOKEN}@a.b/mcp"', 'Expected a URL without user name and password'],
  [
    'an invalid header',
    'url: https://a.b/mcp\nheaders: {X Key: a}',
    '4:22 `mcp.crm.headers.X Key`: This is not a valid',
  ],
  ['an unknown transport', 'url: https://a.b/mcp\ntransport: ws', '4:16 `mcp.crm.transport`: Expected `http` or `sse`'],
  [
    'an unknown execution',
    'command: npx\nexecution: queue',
    '4:16 `mcp.crm.execution`: Expected `parallel` or `serial`',
  ],
  [
    'an unknown approval',
    'command: npx\napproval: some',
    '4:15 `mcp.crm.approval`: Expected `never`, `always` or `hints`',
  ],
  ['arguments that are not a list', 'command: npx\nargs: -y', '4:11 `mcp.crm.args`: Expected a list of arguments'],
])('%s is reported at its place', async (_what, settings, expected) => {
  expect(await yaml.wrong(entry('mcp', 'crm', settings), { TOKEN: 's3cret' })).toContain(expected);
});
