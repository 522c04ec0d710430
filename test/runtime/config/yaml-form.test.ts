// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of temporal.yaml are written so.
import { MODEL, YamlFolder } from './yaml-folder';

const yaml = new YamlFolder();

const EITHER =
  'write `{ baseUrl: https://api.openai.com/v1, model: … }` for a server, or `{ module: ./models.ts, export: … }` for a model of the AI SDK';
const SECTION = 'A section begins in a line of its own, further to the right; a text with `: ` needs quotes';
const SPACE = 'A space follows the colon, as in `name: value`';
const COLUMN = 'The lines of a section begin in the same column, as do the entries of a list; this line does not';
const TAB = 'A tab indents this line; write spaces in its place';
const COLON = 'A colon is missing in this line, as in `name: value`';
const ESCAPE =
  'In double quotes a backslash begins a special character; write two of them, or put the text in single quotes';
const NBSP = 'This has a space that only looks like one, as web pages have them; write an ordinary space';
const COMMA = 'A comma is missing before this';
const ENDED =
  'The value before this has ended: a comma is missing, or quotes around a text with quotes or braces in it';
const NAME = `write \`"\${NAME}"\` for a variable`;
const BRACES = `A text with \`{\` needs quotes: ${NAME}`;
const TAG = `A text that begins with \`!\` needs quotes; ${NAME}`;
const variable = (name: string, before = '') =>
  `This text itself would be sent, not the value of a variable: write \`"${before}\${${name}}"\``;
const quotes = (mark: string) => `A text that begins with ${mark} needs quotes`;
const open = (mark: string, end: string) => `This \`${mark}\` is not closed; write \`${end}\` where it ends`;
const twice = (line: number) => `is given twice, first in line ${line}; keep one of them, or make them one`;

describe('what is wrong with the form of temporal.yaml', () => {
  it.each([
    ['a text that does not end', 'temporal:\n  address: "abc\n', `2:12 ${open('"', '"')}`],
    ['a text in single quotes', "temporal:\n  address: 'abc\nworker: {}\n", `2:12 ${open("'", "'")}`],
    ['a text in braces', 'models:\n  a: { baseUrl: "http://x, model: m }\n', `2:17 ${open('"', '"')}`],
    ['braces', 'models:\n  a: { model: m\n', `2:6 ${open('{', '}')}`],
    ['braces before another section', 'models:\n  a: { model: m\nworker: {}\n', `2:6 ${open('{', '}')}`],
    ['braces before another model', 'models:\n  a: { model: m\n  b: { model: n }\n', `2:6 ${open('{', '}')}`],
    ['braces around closed ones', 'models:\n  a: { limits: { concurrent: 2 }\n', `2:6 ${open('{', '}')}`],
    ['brackets', 'agents: [a.ts, b.ts\nmodels: {}\n', `1:9 ${open('[', ']')}`],
    ['brackets that a brace would close', 'models: {a: {stop: [x}}\n', `1:20 ${open('[', ']')}`],
    ['no braces', 'models:\n  a: { model: m }}\n', '2:18 There is nothing that this `}` closes'],
    ['a key that appears twice', 'agents: a.ts\n\nagents: b.ts\n', `3:1 \`agents\` ${twice(1)}`],
    ['a key that appears twice in a section', 'models:\n  a: {model: x, model: y}\n', `2:17 \`model\` ${twice(2)}`],
    ['a section in the line of its key', 'models:\n  a: model: m\n', `2:6 ${SECTION}`],
    ['a section that moves to the right', 'temporal:\n  address: a:1\n    namespace: b\n', `3:5 ${COLUMN}`],
    ['tabs', 'models:\n\ta: {}\n', `2:1 ${TAB}`],
    ['a tab after spaces', 'models:\n  a:\n  \tmodel: m\n', `3:3 ${TAB}`],
    ['no colon in the last line', 'agents: a.ts\nmodels\n', `2:1 ${COLON}`],
    ['no colon in the first line', 'agents a.ts\nmodels: {}\n', `1:1 ${COLON}`],
    ['no colon before a section', 'models:\n  a\n    model: m\n', `2:3 ${COLON}`],
    ['no colon in a section', 'models:\n  a:\n    model m\n    temperature: 1\n', `3:5 ${COLON}`],
    ['a backslash', 'agents: "C:\\work"\n', `1:12 ${ESCAPE}`],
    ['a space of a web page before a key', 'models:\n\u00a0\u00a0a: {}\n', `2:1 ${NBSP}`],
    ['a space of a web page after a colon', 'agents:\u00a0a.ts\n', `1:1 ${NBSP}`],
  ])('names line, column and problem of broken YAML: %s', async (_what, source, problem) => {
    expect(await yaml.wrong(source)).toBe(problem);
  });

  it.each([
    ['a variable in braces', 'models:\n  a: { model: m, apiKey: ${OPENAI_API_KEY} }\n', `2:26 ${BRACES}`],
    ['a variable after a word in braces', 'models:\n  a: { apiKey: Bearer ${K}, model: m }\n', `2:23 ${BRACES}`],
    ['a variable in brackets', 'agents: [${K}]\n', `1:10 ${BRACES}`],
    ['a variable of a template', 'models:\n  a:\n    apiKey: {{ X }}\n', `3:14 ${BRACES}`],
    ['a variable of a template in braces', 'models:\n  a: { apiKey: {{ X }} }\n', `2:17 ${BRACES}`],
    ['a variable of a template before a text', 'agents: {{ X }}/a.ts\n', `1:10 ${BRACES}`],
    ['no space in the only line', 'agents:./agents.ts\n', `1:1 ${SPACE}`],
    ['no space in the first line', 'agents:./agents.ts\n# more\nmodels: {}\n', `1:1 ${SPACE}`],
    ['no space in a section', 'models:\n  a:\n    baseUrl:http://x/v1\n    model: m\n', `3:5 ${SPACE}`],
    ['no space in the last line of a section', 'models:\n  a:\n    model: m\n    apiKey:sk-abc\n', `4:5 ${SPACE}`],
    ['no space in braces', 'models:\n  a: { apiKey:sk-abc, model: m }\n', `2:8 ${SPACE}`],
    ['no space before braces', 'models:{a: {model: m}}\n', `1:1 ${SPACE}`],
    ['no space before braces of a model', 'models:\n  a:{ model: m }\n', `2:3 ${SPACE}`],
    [
      'no space in all lines of a model',
      'models:\n  a:\n    baseUrl:http://x/v1\n    apiKey:sk-abc\n',
      `3:5 \`models.a\`: Expected a model, got a string. ${SPACE}; ${EITHER}`,
    ],
    [
      'no space in the only line of a section',
      'worker:\n  shutdownGrace:5s\n',
      `2:3 \`worker\`: Expected a section, got a string. ${SPACE}`,
    ],
    [
      'two documents',
      'agents: a.ts\n---\nmodels: {}\n',
      '2:1 Another document begins here; write a single one, without `---` between its parts',
    ],
    ['JSON without a comma', '{"agents": "a.ts" "models": {}}', `1:19 ${COMMA}`],
    ['JSON without a comma after braces', '{"agents": {} "models": {}}', `1:15 ${ENDED}`],
    ['JSON without a comma in a list', '{"agents": ["a.ts" "b.ts"]}', `1:20 ${COMMA}`],
    ['JSON without a comma between lines', '{\n  "agents": "a.ts"\n  "models": {}\n}', `3:3 ${COMMA}`],
    ['JSON without a comma after a number', '{\n  "port": 1\n  "models": {}\n}', `3:3 ${COMMA}`],
    ['JSON without a comma after braces and a line', '{\n  "worker": {}\n  "models": {}\n}', `3:3 ${COMMA}`],
    ['JSON with two commas', '{"agents": "a.ts",, "models": {}}', '1:19 There is nothing before this comma'],
    ['a line too far left', 'models:\n  a:\n    model: m\n   baseUrl: x\n', `4:4 ${COLUMN}`],
    ['a line too far right', 'models:\n  a:\n    model: m\n     baseUrl: x\n', `4:6 ${COLUMN}`],
    ['a line too far right for the first one', 'agents: a.ts\n models: {}\n', `2:2 ${COLUMN}`],
    ['a first line too far right', ' agents: a.ts\nmodels: {}\n', `2:1 ${COLUMN}`],
    [
      'a line too far right after a section',
      'models:\n  a:\n    limits:\n      concurrent: 1\n     model: m\n',
      `5:6 ${COLUMN}`,
    ],
    ['an entry too far left', 'agents:\n  - a.ts\n - b.ts\n', `3:2 ${COLUMN}`],
    ['a text with `@`', 'agents: @a/b\n', `1:9 ${quotes('`@`')}`],
    ['a text with `@` in brackets', 'agents: [@a/b]\n', `1:10 ${quotes('`@`')}`],
    ['a text with `%`', 'agents: %a\n', `1:9 ${quotes('`%`')}`],
    ['a text with a backtick', 'agents: `a`\n', `1:9 ${quotes('a backtick')}`],
    ['a text with `|`', 'agents: |a\n', `1:9 ${quotes('`|`')}`],
    ['a text with `&`', 'agents: &a\n', `1:9 ${quotes('`&`')}`],
    ['a text after quotes', 'agents: "a"b\n', `1:12 ${ENDED}`],
    ['a tag', `${MODEL}    apiKey: !env OPENAI_API_KEY\n`, `5:13 ${TAG}`],
    ['a tag of YAML', 'agents: !!js/regexp x\n', `1:9 ${TAG}`],
    ['a tag before braces', 'agents: !env {a: b}\n', `1:9 ${TAG}`],
    ['a variable as process.env.API_KEY', `${MODEL}    apiKey: process.env.API_KEY\n`, `5:13 ${variable('API_KEY')}`],
    ['a variable as env.API_KEY', `${MODEL}    apiKey: env.API_KEY\n`, `5:13 ${variable('API_KEY')}`],
    [
      'a variable as import.meta.env.API_KEY',
      `${MODEL}    apiKey: import.meta.env.API_KEY\n`,
      `5:13 ${variable('API_KEY')}`,
    ],
    ['a variable as %API_KEY%', `${MODEL}    apiKey: '%API_KEY%'\n`, `5:13 ${variable('API_KEY')}`],
    ['a variable as {{API_KEY}}', `${MODEL}    apiKey: '{{API_KEY}}'\n`, `5:13 ${variable('API_KEY')}`],
    ['a variable as {{ .API_KEY }}', `${MODEL}    apiKey: '{{ .API_KEY }}'\n`, `5:13 ${variable('API_KEY')}`],
    ['a variable as GitHub has it', `${MODEL}    apiKey: '$\{{ secrets.API_KEY }}'\n`, `5:13 ${variable('API_KEY')}`],
    ['a variable as $env:API_KEY', `${MODEL}    apiKey: $env:API_KEY\n`, `5:13 ${variable('API_KEY')}`],
    [
      'a variable of JavaScript as the key of Temporal',
      'temporal: {apiKey: process.env.API_KEY}\n',
      `1:20 ${variable('API_KEY')}`,
    ],
    ['a variable without braces', `${MODEL}    apiKey: $OPENAI_KEY\n`, `5:13 ${variable('OPENAI_KEY')}`],
    ['a variable without braces in a header', `${MODEL}    headers: {X-Key: "$KEY_2"}\n`, `5:22 ${variable('KEY_2')}`],
    [
      'a variable without braces after Bearer',
      `${MODEL}    headers: {Authorization: Bearer $KEY}\n`,
      `5:30 ${variable('KEY', 'Bearer ')}`,
    ],
  ])('says in plain words what YAML reads otherwise: %s', async (_what, source, problem) => {
    expect(await yaml.wrong(source)).toBe(problem);
  });

  it.each([
    ['a key with small letters after `$`', `${MODEL}    apiKey: $aact_YTU5\n`, {}],
    ['a key from a variable', `${MODEL}    apiKey: "\${KEY}"\n`, { KEY: '$SECRET' }],
    ['a name with a colon', 'models:\n  qwen:7b: {baseUrl: "http://x/v1", model: qwen:7b}\n', {}],
    ['null in a body', `${MODEL}    extraBody: {a:b: null}\n`, {}],
    ['a list one step further left', 'agents:\n- a.ts\n- b.ts\n', {}],
    [
      'a part of the file that is used again',
      `${MODEL}    stop: &end [x]\n  slow: {baseUrl: "http://x/v1", model: m, stop: *end}\n`,
      {},
    ],
  ])('accepts %s', async (_what, source, env) => {
    expect(await yaml.wrong(source, env)).toBe('nothing is wrong');
  });

  it('prints no warning of Node for braces in a name', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    await yaml.wrong('agents: {{ X }}\n');
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });
});
