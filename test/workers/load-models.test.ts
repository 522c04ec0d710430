import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../runtime/config/config';
import { loadModels } from '../../workers/load/load-models';
import { HOLDFAST, ROOT } from '../sources';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-models-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const write = (name: string, ...lines: string[]) => writeFileSync(join(dir, name), `${lines.join('\n')}\n`);
const configOf = (...lines: string[]) => {
  write('temporal.yaml', ...lines);
  return loadConfig({ cwd: dir, env: {} });
};
const models = async (...lines: string[]) => loadModels(await configOf(...lines));
/** The error, with paths relative to the folder. */
const problem = (...lines: string[]): Promise<string> =>
  models(...lines).then(
    (loaded) => `no error, but ${JSON.stringify(loaded)}`,
    (error: Error & { type: string }) => `${error.type} ${error.message.replaceAll(`${dir}/`, '')}`,
  );

/** Without the rest of `holdfast/worker`, which takes seconds to load from its sources. */
const DEFINE_MODEL = join(ROOT, 'activities/model/adapters/function/define-model');
const IMPORTS = `import { defineModel } from ${JSON.stringify(DEFINE_MODEL)};`;
const ANTHROPIC = JSON.stringify(require.resolve('@ai-sdk/anthropic'));
const STREAM = "async *stream() { yield { type: 'finish', reason: 'stop' } }";

describe('a model of a module', () => {
  it('is its export, with the settings of temporal.yaml over its own', async () => {
    write(
      'models.ts',
      IMPORTS,
      `export const claude = defineModel({ model: 'm', contextWindow: 1, patience: 7, ${STREAM} });`,
    );
    const loaded = await models(
      'models:',
      '  plain: { baseUrl: "http://x/v1", model: p }',
      '  claude: { module: ./models.ts, export: claude, contextWindow: 9, idleTimeout: 5s }',
    );
    expect(loaded).toEqual({
      plain: { baseUrl: 'http://x/v1', model: 'p' },
      claude: {
        model: 'm',
        contextWindow: 9,
        idleTimeout: 5000,
        patience: 7,
        adapter: expect.objectContaining({ kind: 'function' }),
      },
    });
  });

  it.each(['reasoningEffort: low', 'extraBody: { a: 1 }', 'serviceTier: flex'])(
    'is refused with a setting that it cannot be sent: %s',
    async (setting) => {
      write(
        'models.ts',
        IMPORTS,
        `export const claude = { ...defineModel({ model: 'm', ${STREAM} }) };`,
        "claude.adapter = { ...claude.adapter, unsent: ['reasoningEffort', 'serviceTier', 'extraBody'] };",
      );
      expect(await problem('models:', `  claude: { module: ./models.ts, export: claude, ${setting} }`)).toMatch(
        /^InvalidConfig temporal\.yaml:2:\d+: `models\.claude\.\w+`: This model has no field for it\. .*`providerOptions`/,
      );
    },
  );

  it('is the default export if none is named', async () => {
    write('models.ts', IMPORTS, `export default defineModel({ model: 'm', ${STREAM} });`);
    expect(await models('models: { claude: { module: models.ts } }')).toMatchObject({ claude: { model: 'm' } });
  });

  it('may be one behind a server', async () => {
    write('models.ts', "export const house = { baseUrl: 'http://x/v1', model: 'm', apiKey: undefined };");
    expect(await models('models: { house: { module: models.ts, export: house } }')).toEqual({
      house: { baseUrl: 'http://x/v1', model: 'm' },
    });
  });

  it('behind a server may have a function for its prices, and milliseconds as durations', async () => {
    write(
      'models.ts',
      "export const house = { baseUrl: 'http://x/v1', model: 'm', idleTimeout: 30, prices: ({ prompt }) => prompt / 1000 };",
    );
    const { house } = await models('models: { house: { module: models.ts, export: house } }');
    expect(house).toEqual({ baseUrl: 'http://x/v1', model: 'm', idleTimeout: 30, prices: expect.any(Function) });
  });

  const EXPECTED = 'Expected a model: what `defineModel` or `aiSdk` returns, or an object with `baseUrl` and `model`';
  const CLAUDE = 'InvalidConfig temporal.yaml:1:48: `models.claude`: `claude` of models.ts';
  it.each<[what: string, lines: string[], error: string]>([
    ['the module is missing', [], 'InvalidConfig temporal.yaml:1:29: `models.claude`: There is no module models.ts'],
    [
      'the export is missing',
      ['export const claud = 1, other = 2;'],
      `InvalidConfig temporal.yaml:1:48: \`models.claude\`: models.ts exports no \`claude\`; it exports \`claud\`, \`other\`. ${EXPECTED}`,
    ],
    ['the export is something else', ['export const claude = 5;'], `${CLAUDE}: ${EXPECTED}`],
    [
      'the export is a function',
      ['export const claude = () => 1;'],
      `${CLAUDE}: It is a function; use what it returns. ${EXPECTED}`,
    ],
    [
      'the export is a Promise',
      ["export const claude = Promise.resolve({ baseUrl: 'http://x/v1', model: 'm' });"],
      `${CLAUDE}: It is a Promise; use what it resolves to, with \`await\` before it`,
    ],
    [
      'the export is a model of the AI SDK',
      [`import { createAnthropic } from ${ANTHROPIC};`, "export const claude = createAnthropic({ apiKey: 'x' })('m');"],
      `${CLAUDE}: It is a model of the AI SDK; use \`aiSdk(model)\`, with \`aiSdk\` of \`holdfast/worker\``,
    ],
    [
      'the export is a provider of the AI SDK',
      [`export { anthropic as claude } from ${ANTHROPIC};`],
      `${CLAUDE}: It is a provider of the AI SDK; use one of its models, \`aiSdk(provider('…'))\`, with \`aiSdk\` of \`holdfast/worker\``,
    ],
    [
      'the export has an adapter that is none',
      ["export const claude = { model: 'm', adapter: {} };"],
      `${CLAUDE}: ${EXPECTED}`,
    ],
    [
      'the export has a wrong setting',
      ["export const claude = { baseUrl: 'http://x/v1', model: 'm', api: 'x' };"],
      `${CLAUDE}: \`api\`: Expected \`chat\` or \`responses\``,
    ],
    [
      'its definition is wrong',
      [IMPORTS, "export const claude = defineModel({ model: 'm' });"],
      'InvalidDefinition models.ts:2: defineModel.stream: Expected an async generator function, such as ' +
        '`async *stream(request, { signal }) { … }`, got nothing',
    ],
    [
      'the export has its address under another name',
      ["export const claude = { baseURL: 'http://x/v1', model: 'm' };"],
      `${CLAUDE}: There is no \`baseURL\` here; did you mean \`baseUrl\`?`,
    ],
    ['it throws', ["throw new Error('no key');"], 'ModuleNotLoaded models.ts:1: no key'],
  ])('is refused with its alias, file and export if %s', async (_, lines, error) => {
    if (lines.length > 0) write('models.ts', ...lines);
    expect(await problem('models: { claude: { module: models.ts, export: claude } }')).toBe(error);
  });

  it('is refused if a package is named', async () => {
    expect(await problem('models: { claude: { module: "@ai-sdk/anthropic", export: anthropic } }')).toBe(
      'InvalidConfig temporal.yaml:1:29: `models.claude`: There is no module @ai-sdk/anthropic; write the path of a file, such as `./models.ts`',
    );
  });

  it('is refused if a default export is missing', async () => {
    write('models.ts', 'export const claude = 1;');
    expect(await problem('models: { claude: { module: models.ts } }')).toContain(
      '`models.claude`: models.ts exports no default, and `export` names no other export; it exports `claude`. ',
    );
  });
});

describe("models that an agents' module exports", () => {
  const AGENT = [
    `import { defineAgent } from ${JSON.stringify(HOLDFAST)};`,
    IMPORTS,
    "export const a = defineAgent({ name: 'a.b' });",
  ];
  const own = (model: string) => `export const models = { own: defineModel({ model: '${model}', ${STREAM} }) };`;

  it('are known by their aliases; temporal.yaml replaces them', async () => {
    write('agents.ts', ...AGENT, own('m'));
    expect(await models('agents: agents.ts')).toMatchObject({ own: { model: 'm' } });
    expect(await models('agents: agents.ts', 'models: { own: { baseUrl: "http://x/v1", model: n } }')).toEqual({
      own: { baseUrl: 'http://x/v1', model: 'n' },
    });
    const config = await configOf('agents: agents.ts');
    expect(await loadModels(config, { ofAgents: false })).toEqual({});
  });

  it('are not any model that it exports', async () => {
    write('agents.ts', ...AGENT, `export const own = defineModel({ model: 'm', ${STREAM} });`);
    expect(await models('agents: agents.ts')).toEqual({});
  });

  it.each<[string, string, string]>([
    [
      'are not an object',
      'export const models = [1];',
      'InvalidConfig agents.ts: `models`: Expected an object of models by alias',
    ],
    ['are none', 'export const models = { own: 7 };', 'InvalidConfig agents.ts: `models.own`: Expected a model: '],
  ])('are refused if they %s', async (_, line, error) => {
    write('agents.ts', ...AGENT, line);
    expect(await problem('agents: agents.ts')).toContain(error);
  });

  it('are refused if two modules mean different ones', async () => {
    write('agents.ts', ...AGENT, own('m'));
    write('more.ts', ...AGENT, own('n'));
    expect(await problem('agents: [agents.ts, more.ts]')).toBe(
      'InvalidConfig more.ts: `models.own`: agents.ts exports another model of this name',
    );
    write('same.ts', ...AGENT, "export { models } from './agents';");
    expect(await models('agents: [agents.ts, same.ts]')).toMatchObject({ own: { model: 'm' } });
  });
});
