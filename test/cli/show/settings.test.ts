import { defineAgent } from 'holdfast';
import { viewAgent } from '../../../cli/show/agent';
import { agentLines } from '../../../cli/show/agent-lines';
import { type Config, loadConfig } from '../../../runtime/config/config';

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
    },
    { alias: 'spare', model: 'm-2', address: 'https://b.example/v1', adapter: 'chat', settings: own },
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
  expect(view.models).toEqual([{ alias: 'spare', model: 'm-2', address: 'https://b.example/v1', adapter: 'chat' }]);
});
