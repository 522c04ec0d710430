import { MODEL, YamlFolder } from './yaml-folder';

const yaml = new YamlFolder();

const EITHER =
  'write `{ baseUrl: https://api.openai.com/v1, model: … }` for a server, or `{ module: ./models.ts, export: … }` for a model of the AI SDK';
const ALIAS = 'A text that begins with `*` needs quotes: without, it means a part of the file';
const ADDRESS = '`temporal.address`: Expected a host and a port, such as `localhost:7233`';

describe('what is wrong with temporal.yaml', () => {
  it.each([
    ['a misspelt section', 'modles: {}\n', '1:1 There is no `modles` here; did you mean `models`?'],
    [
      'a Temporal server with a scheme',
      'temporal:\n  address: "http://localhost:7233"\n',
      '2:12 `temporal.address`: Expected a host and a port, such as `localhost:7233`',
    ],
    [
      'an address in place of the section of Temporal',
      'temporal: localhost:7233\n',
      '1:11 `temporal`: Expected a section, got a string; an address is one of its settings, as in `address: localhost:7233`',
    ],
    ['a misspelt setting', `${MODEL}    apikey: x\n`, '5:5 There is no `apikey` here; did you mean `apiKey`?'],
    [
      'a setting unlike any other',
      'devServer:\n  zzzzzzzzzzzz: 1\n',
      '2:3 There is no `zzzzzzzzzzzz` here; possible are `port`, `uiPort`, `dbFile`, `ip`',
    ],
    [
      'a required setting in wrong letters',
      'models:\n  fast: {baseURL: "http://x/v1", model: m}\n',
      '2:10 There is no `baseURL` here; did you mean `baseUrl`?',
    ],
    [
      'a required setting that is misspelt in a section of a section',
      'models:\n  fast: {baseUrl: "http://x/v1", model: m, prices: {promt: 1, completion: 2}}\n',
      '2:53 There is no `promt` here; did you mean `prompt`?',
    ],
    [
      'a model without a name',
      'models:\n  "": {baseUrl: "http://x/v1", model: m}\n',
      '2:3 `models.`: The alias of a model is empty; give it a name, such as `default`',
    ],
    [
      'a model whose name an object loses',
      'models:\n  __proto__: {baseUrl: "http://x/v1", model: m}\n',
      '2:3 `models.__proto__`: `__proto__` cannot be the alias of a model; choose another one',
    ],
    [
      'a misspelt `command` of an MCP server',
      'mcp:\n  files: {comand: npx}\n',
      '2:11 There is no `comand` here; did you mean `command`?',
    ],
    [
      'a misspelt `url` of an MCP server',
      'mcp:\n  files: {URL: "http://x/"}\n',
      '2:11 There is no `URL` here; did you mean `url`?',
    ],
    [
      'a misspelt `url` of an outlet',
      'outlets:\n  carrier: {uri: "http://x/", timeout: 1s}\n',
      '2:13 There is no `uri` here; did you mean `url`?',
    ],
    [
      'a misspelt setting beside an invalid one, as the first of both',
      'models:\n  fast: {baseUrl: nowhere, modell: m}\n',
      '2:19 `models.fast.baseUrl`: Expected a URL that begins with `http://` or `https://`, such as `https://api.openai.com/v1`',
    ],
    [
      'an unknown API of a model',
      'models:\n  fast: {baseUrl: "http://x/v1", model: m, api: response}\n',
      '2:49 `models.fast.api`: Expected `chat` or `responses`',
    ],
    [
      'a text for a number',
      'devServer:\n  port: high\n',
      '2:9 `devServer.port`: Expected a whole number of at least 0, got a string',
    ],
    ['a port out of range', 'devServer: {port: 70000}\n', '1:19 `devServer.port`: Expected at most 65535'],
    [
      'an unknown way to ask for JSON',
      'models:\n  fast: {baseUrl: "http://x/v1", model: m, structuredOutput: json}\n',
      '2:62 `models.fast.structuredOutput`: Expected `schema`, `json_object` or `prompt`',
    ],
    [
      'a missing setting',
      'models:\n  fast:\n    model: qwen\n',
      '2:3 `models.fast.baseUrl`: Expected a string, it has no value',
    ],
    [
      'no URL',
      'models:\n  fast: {baseUrl: localhost, model: x}\n',
      '2:19 `models.fast.baseUrl`: Expected a URL that begins with `http://` or `https://`, such as `https://api.openai.com/v1`',
    ],
    [
      'no duration',
      'worker:\n  shutdownGrace: soon\n',
      "2:18 `worker.shutdownGrace`: Expected milliseconds or a duration such as '30s'",
    ],
    [
      'a name of limits that does not fit a workflow id',
      'models:\n  fast: {baseUrl: "http://x", model: x, limits: {name: "team a", concurrent: 1}}\n',
      '2:56 `models.fast.limits.name`: Expected letters, digits, `.`, `_` and `-`',
    ],
    [
      'a duration without a unit that was meant as seconds',
      'models:\n  fast: {baseUrl: "http://x", model: x, idleTimeout: 30}\n',
      '2:54 `models.fast.idleTimeout`: A number without a unit is milliseconds; write the unit of so small a number, such as `30s` or `500ms`',
    ],
    [
      'a list for a section',
      'temporal: [a]\n',
      '1:1 `temporal`: Expected a section, got a list; write its settings as `name: value`, without `-` or brackets',
    ],
    ['a section without a value', 'temporal:\n', '1:10 `temporal`: Expected a section, it has no value'],
    ['a number in a list of modules', 'agents: [a.ts, 3]\n', '1:16 `agents.1`: Expected a string, got a number'],
    [
      'a switch in the words of YAML 1.1',
      'temporal: {tls: yes}\n',
      '1:17 `temporal.tls`: Expected `true`, `false` or a section, got a string',
    ],
    [
      'a certificate without its key',
      'temporal:\n  tls: {cert: a.pem}\n',
      '2:3 `temporal.tls`: `cert` and `key` belong together',
    ],
    ['a text for everything', 'hello\n', '1:1 Expected a section, got a string; write its settings as `name: value`'],
    [
      'the provider of a model',
      'models:\n  default: {provider: openai, model: gpt-5}\n',
      `2:13 There is no \`provider\` here; ${EITHER}`,
    ],
    [
      'the provider of a model of a module',
      'models:\n  default: {module: ./m.ts, provider: openai}\n',
      '2:29 There is no `provider` here; the module chooses it',
    ],
    [
      'a model of a module that has a server',
      'models:\n  default: {module: ./m.ts, baseUrl: "http://x/v1"}\n',
      '2:29 There is no `baseUrl` here; a model has a `baseUrl` or a `module`, not both',
    ],
    [
      'the name of a model for a model',
      'models: {default: gpt-5}\n',
      `1:19 \`models.default\`: Expected a model, got a string; ${EITHER}`,
    ],
    ['a list for a model', 'models:\n  a: [1]\n', `2:3 \`models.a\`: Expected a model, got a list; ${EITHER}`],
    ['a model without a value', 'models:\n  a:\n', `2:5 \`models.a\`: Expected a model, it has no value; ${EITHER}`],
    [
      'the name of a model for all models',
      'models: gpt-5\n',
      '1:9 `models`: Expected models by their aliases, such as `default: { baseUrl: https://api.openai.com/v1, model: … }`, got a string',
    ],
    ['a pattern for a list of modules', 'agents: *.ts\n', `1:9 ${ALIAS}`],
  ])('names line, column and problem of %s', async (_what, source, problem) => {
    expect(await yaml.wrong(source)).toBe(problem);
  });

  it.each([
    [
      'MCP servers as other programs name them',
      'mcpServers: {}\n',
      '1:1 There is no `mcpServers` here; did you mean `mcp`?',
    ],
    [
      'tools',
      'tools: ./tools.ts\n',
      '1:1 There is no `tools` here; tools belong to agents, which are defined in a module that `agents` names',
    ],
    ['an address with a word for a port', 'temporal:\n  address: "localhost:abc"\n', `2:12 ${ADDRESS}`],
    ['an address with a port out of range', 'temporal: {address: "a:70000"}\n', `1:21 ${ADDRESS}`],
    ['an address with a path', 'temporal: {address: "a:7233/x"}\n', `1:21 ${ADDRESS}`],
  ])('says what is meant: %s', async (_what, source, problem) => {
    expect(await yaml.wrong(source)).toBe(problem);
  });

  it('reports the first mistake in the file when there are several', async () => {
    expect(await yaml.wrong('worker: {shutdownGrace: x}\ntemporal: {adress: y}\n')).toMatch(/^1:25 /);
  });

  it('names the place of a missing certificate', async () => {
    expect(await yaml.wrong('temporal:\n  tls:\n    serverCa: nowhere.pem\n')).toBe('3:15 There is no such file');
  });

  it('never quotes a value, which may be a secret', async () => {
    const secret = 'sk-very-secret';
    for (const source of [
      `models: {a: {apiKey: [${secret}], model: x, baseUrl: 'http://x'}}`,
      `models: {a: {model: x, baseUrl: ${secret}}}`,
      `models:\n  a:\n    apiKey: "x" ${secret}\n`,
      `worker: {shutdownGrace: ${secret}}`,
      `models: ${secret}`,
      `models: {a: ${secret}}`,
      `models: {a: {provider: ${secret}}}`,
      `models: {a: {apiKey: "${secret}}}`,
      `models: {a: {apiKey: *${secret}}}`,
      `models:\n  a:\n    apiKey: ${secret}\n    apiKey: ${secret}\n`,
      `models:\n  a:\n    apiKey:${secret}\n`,
      `models:\n  a:\n    model: m\n    apiKey:${secret}\n`,
      `models: {a: {apiKey:${secret}, model: m}}`,
      `models: {a: {apiKey:Bearer ${secret}, model: m}}`,
      `models:\n  a:\n    apiKey: |${secret}\n`,
      `models:\n  a:\n    apiKey: &${secret}\n`,
      `models:\n  a:\n    apiKey: !${secret}\n`,
      `models:\n  a:\n    apiKey: @${secret}\n`,
      `models:\n  a:\n    headers: {Authorization:Bearer ${secret}}\n`,
    ]) {
      expect(await yaml.wrong(source)).not.toContain(secret);
    }
  });
});
