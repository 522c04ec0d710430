import { createAnthropic } from '@ai-sdk/anthropic';
import { makeManifest } from '../../../activities/context/make-manifest';
import { defineAgent } from '../../../agent';
import { aiSdk, defineModel } from '../../../workers';

const baseUrl = 'http://127.0.0.1:1/v1';
const models = {
  default: { baseUrl, model: 'm-1' },
  new: { baseUrl, model: 'm-2', api: 'responses' as const },
  claude: aiSdk(createAnthropic({ apiKey: 'k' })('claude-x')),
  own: defineModel({
    model: 'm-3',
    structuredOutput: 'prompt',
    async *stream() {
      yield { type: 'finish', reason: 'stop' };
    },
  }),
};
const manifestOf = (model?: string | string[]) =>
  makeManifest(defineAgent({ name: 'test.models', ...(model === undefined ? {} : { model }) }).definition, [], {
    searchAttributes: false,
    models,
  });

it('a run pins the adapter, the name and the capabilities of each model of its chain', () => {
  const capabilities = { structuredOutput: 'schema' };
  expect(manifestOf().modelSpecs).toEqual({ default: { adapter: 'chat', model: 'm-1', capabilities } });
  expect(manifestOf(['new', 'own', 'claude', 'gone']).modelSpecs).toEqual({
    new: { adapter: 'responses', model: 'm-2', capabilities: { ...capabilities, unsent: ['stop', 'seed'] } },
    own: { adapter: 'function', model: 'm-3', capabilities: { structuredOutput: 'prompt' } },
    claude: {
      adapter: 'ai-sdk',
      model: 'claude-x',
      capabilities: {
        ...capabilities,
        unsent: ['reasoningEffort', 'serviceTier', 'extraBody'],
        marksPrefixes: true,
      },
    },
  });
});

it('a manifest made without models has no such field, as before', () => {
  expect(
    makeManifest(defineAgent({ name: 'test.models' }).definition, [], { searchAttributes: false }),
  ).not.toHaveProperty('modelSpecs');
});
