import { createAnthropic } from '@ai-sdk/anthropic';
import { defineAgent } from 'holdfast';
import { aiSdk } from 'holdfast/worker';
import { viewAgent } from '../../../../cli/show/agent/agent';
import { agentLines } from '../../../../cli/show/agent/agent-lines';
import { type Config, loadConfig } from '../../../../runtime/config/config';

const agent = defineAgent({
  name: 'support.triage',
  model: ['fast', 'spare', 'gone'],
  modelSettings: {
    temperature: 0,
    extraBody: { top_k: 4, api_key: 'hush-hush' },
    extraHeaders: { 'X-Key': 'abcd1234' },
  },
});

let config: Config;
beforeAll(async () => {
  config = {
    ...(await loadConfig({ cwd: '/', env: {} })),
    models: {
      fast: { model: 'm-1', baseUrl: 'https://a.example/v1', temperature: 1, stop: ['\n'] },
      spare: { model: 'm-2', baseUrl: 'https://b.example/v1' },
    },
  };
});

const capabilities = { structuredOutput: 'schema' };

it('shows how each model answers the agent, without a secret', async () => {
  const view = await viewAgent(agent, config);
  const own = { temperature: 0, extraBody: { top_k: 4, api_key: '***' }, extraHeaders: { 'X-Key': '***' } };
  expect(view.models).toEqual([
    {
      alias: 'fast',
      model: 'm-1',
      address: 'https://a.example/v1',
      adapter: 'chat',
      settings: { ...own, stop: ['\n'] },
      capabilities,
    },
    { alias: 'spare', model: 'm-2', address: 'https://b.example/v1', adapter: 'chat', settings: own, capabilities },
    { alias: 'gone' },
  ]);
  const text = agentLines(view).join('\n');
  expect(text).toMatch(
    /^models +fast +m-1 at https:\/\/a\.example\/v1 \(chat\) +temperature 0, stop \["\\n"\], extraBody \{/m,
  );
  expect(text).not.toMatch(/hush|abcd/);
});

it('an agent and models without settings have none', async () => {
  const view = await viewAgent(defineAgent({ name: 'a.b', model: 'spare' }), config);
  expect(view.models).toEqual([
    { alias: 'spare', model: 'm-2', address: 'https://b.example/v1', adapter: 'chat', capabilities },
  ]);
});

it('shows what can be asked of a model, as far as it differs from most', async () => {
  const models = {
    new: { model: 'm-3', baseUrl: 'https://c.example/v1', api: 'responses' as const, temperature: 1 },
    claude: aiSdk(createAnthropic({ apiKey: 'k' })('claude-x'), { structuredOutput: 'prompt' }),
  };
  const view = await viewAgent(defineAgent({ name: 'a.b', model: ['new', 'claude'] }), { ...config, models });
  expect(view.models.map((each) => each.capabilities)).toEqual([
    { structuredOutput: 'schema', unsent: ['stop', 'seed'] },
    {
      structuredOutput: 'prompt',
      unsent: ['reasoningEffort', 'serviceTier', 'extraBody'],
      marksPrefixes: true,
    },
  ]);
  const text = agentLines(view).join('\n');
  expect(text).toMatch(/^models +new .* temperature 1; cannot send stop, seed$/m);
  expect(text).toMatch(
    /claude-x at anthropic\.messages \(ai-sdk\) +asked for JSON by the system prompt; marks what is cached; cannot send reasoningEffort, /,
  );
});
