import { MODEL, YamlFolder } from './yaml-folder';

const UNSENDABLE = 'Expected one line of ASCII or Latin-1 characters, which are all that a header can have';

const yaml = new YamlFolder();
const withSetting = (line: string) => `${MODEL}    ${line}\n`;

it('takes every setting of a model', async () => {
  const { models } = await yaml.load(
    `${MODEL}    temperature: 0
    topP: 0.9
    maxTokens: 100
    stop: ["\\n", "END "]
    seed: -3
    reasoningEffort: low
    parallelToolCalls: false
    toolChoice: { tool: look.up }
    serviceTier: flex
    extraBody: { top_k: 4, nested: { list: [1, null, true] } }
    extraHeaders: { X-Team: "\${TEAM}", X-Version: 2 }
    prices: { prompt: 1, completion: 2, cached: 0.1, cacheWritten: 1.25 }
`,
    { TEAM: 'support' },
  );
  expect(models.fast).toEqual({
    ...{ baseUrl: 'http://localhost:11434/v1', model: 'qwen' },
    ...{ temperature: 0, topP: 0.9, maxTokens: 100, stop: ['\n', 'END '], seed: -3, reasoningEffort: 'low' },
    ...{ parallelToolCalls: false, toolChoice: { tool: 'look.up' }, serviceTier: 'flex' },
    extraBody: { top_k: 4, nested: { list: [1, null, true] } },
    extraHeaders: { 'X-Team': 'support', 'X-Version': '2' },
    prices: { prompt: 1, completion: 2, cached: 0.1, cacheWritten: 1.25 },
  });
});

it('takes numbers and switches from the environment', async () => {
  const source = `${MODEL}    topP: "\${P}"\n    seed: "\${S}"\n    parallelToolCalls: "\${ON}"\n`;
  const { models } = await yaml.load(source, { P: '0.50', S: '00012', ON: 'true' });
  expect(models.fast).toMatchObject({ topP: 0.5, seed: 12, parallelToolCalls: true });
});

const CHOICE = "Expected `auto`, `none`, `required` or `{ tool: '…' }`";
it.each([
  ['topP: 0', '5:11 `models.fast.topP`: Expected a number over 0, at most 1'],
  ['topP: 1.5', '5:11 `models.fast.topP`: Expected a number over 0, at most 1'],
  ['topP: high', '5:11 `models.fast.topP`: Expected a number over 0, at most 1, got a string'],
  ['stop: END', '5:11 `models.fast.stop`: Expected a list of strings, got a string'],
  ['stop: []', '5:5 `models.fast.stop`: Expected at least one string'],
  ['stop: [END, ""]', '5:17 `models.fast.stop.1`: Expected a non-empty string'],
  [
    'stop: [END]\n    api: responses',
    '5:5 `models.fast.stop`: OpenAI Responses has no field for `stop`. Remove it, or use `api: chat`',
  ],
  [
    'api: responses\n    seed: 7',
    '6:11 `models.fast.seed`: OpenAI Responses has no field for `seed`. Remove it, or use `api: chat`',
  ],
  ['seed: 1.5', '5:11 `models.fast.seed`: Expected a whole number, got a number'],
  ['reasoningEffort: 3', '5:22 `models.fast.reasoningEffort`: Expected a string, got a number'],
  ['parallelToolCalls: maybe', '5:24 `models.fast.parallelToolCalls`: Expected `true` or `false`, got a string'],
  ['toolChoice: any', `5:17 \`models.fast.toolChoice\`: ${CHOICE}`],
  ['toolChoice: { tol: look }', '5:19 There is no `tol` here; did you mean `tool`?'],
  ['toolChoice: { tool: "" }', '5:25 `models.fast.toolChoice.tool`: Expected a non-empty string'],
  ['serviceTier: ""', '5:18 `models.fast.serviceTier`: Expected a non-empty string'],
  ['extraBody: [1]', '5:5 `models.fast.extraBody`: Expected names and JSON values, got a list'],
  ['extraBody: { n: .nan }', '5:5 `models.fast.extraBody`: Expected names and JSON values, got a section'],
  ['headers: { "X Key": a }', '5:25 `models.fast.headers.X Key`: This is not a valid header name'],
  ['headers: { X-Key: "日本" }', `5:23 \`models.fast.headers.X-Key\`: ${UNSENDABLE}`],
  ['apiKey: "abc…"', `5:13 \`models.fast.apiKey\`: ${UNSENDABLE}`],
  ['apiKey: "Bearer abc"', '5:13 `models.fast.apiKey`: Expected the key alone: `Bearer` is added to it'],
  ['extraHeaders: { "X Key": a }', '5:30 `models.fast.extraHeaders.X Key`: This is not a valid header name'],
  ['extraHeaders: { X-Key: "a\\nb" }', `5:28 \`models.fast.extraHeaders.X-Key\`: ${UNSENDABLE}`],
  [
    'providerOptions: { openai: { effort: low } }',
    '5:5 `models.fast.providerOptions`: Only models of the AI SDK have provider options; write fields of the request in `extraBody`',
  ],
  ['topp: 1', '5:5 There is no `topp` here; did you mean `topP`?'],
  [
    'prices: { prompt: 1, completion: 1, cacheWritten: -1 }',
    '5:55 `models.fast.prices.cacheWritten`: Expected a price from 0 to 1000000',
  ],
])('refuses `%s`', async (line, problem) => {
  expect(await yaml.wrong(withSetting(line))).toBe(problem);
});

it.each([
  ['http://a/v1/chat/completions', 'chat/completions'],
  ['http://a/v1/chat/completions/?key=hush', 'chat/completions'],
  ['http://a/v1/responses', 'responses'],
])('refuses the address of an endpoint, such as %s', async (url, endpoint) => {
  const problem = `Remove \`/${endpoint}\` from its path: each request adds it to the URL of the API`;
  expect(await yaml.wrong(MODEL.replace('http://localhost:11434/v1', url))).toBe(
    `3:14 \`models.fast.baseUrl\`: ${problem}`,
  );
});

describe('provider options are for a model that a module makes', () => {
  const inModule = (options: string) => `models:\n  fast:\n    module: ./models.ts\n    providerOptions: ${options}\n`;

  it('and taken as they are', async () => {
    const { moduleModels } = await yaml.load(inModule('{ anthropic: { thinking: { type: adaptive } } }'));
    const providerOptions = { anthropic: { thinking: { type: 'adaptive' } } };
    expect(moduleModels?.fast).toMatchObject({ settings: { providerOptions } });
  });

  it('where each provider has names and values', async () => {
    expect(await yaml.wrong(inModule('{ openai: fast }'))).toBe(
      '4:32 `models.fast.providerOptions.openai`: Expected names and JSON values, got a string',
    );
  });
});
