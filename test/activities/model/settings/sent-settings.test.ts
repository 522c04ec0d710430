import { modelInEffect } from '../../../../activities/model/settings/model-in-effect';
import type { ServerModel } from '../../../../agent/model/config';
import type { ModelSettings, ToolChoice } from '../../../../agent/model/settings';
import { text } from '../../../kit/scripted-model';
import { plainManifest } from '../../plain-manifest';
import { ask, configOf, failureOf, model } from '../asking';
import { lookup } from '../lookup';

const EVERY: ModelSettings = {
  ...{ temperature: 0.1, topP: 0.9, maxTokens: 50, stop: ['END'], seed: 7, reasoningEffort: 'low' },
  ...{ parallelToolCalls: false, toolChoice: 'required', serviceTier: 'flex' },
  extraBody: { top_k: 4, chat_template_kwargs: { enable_thinking: false } },
  extraHeaders: { 'X-Team': 'support' },
};

it('each setting arrives at the server, under its name there', async () => {
  const server = await model(text('ok'));
  await ask(configOf(server, EVERY), { tools: [lookup], uncalled: true });
  const [request] = server.requests;
  expect(request?.body).toMatchObject({
    ...{ temperature: 0.1, top_p: 0.9, max_tokens: 50, stop: ['END'], seed: 7, reasoning_effort: 'low' },
    ...{ parallel_tool_calls: false, tool_choice: 'required', service_tier: 'flex' },
    ...{ top_k: 4, chat_template_kwargs: { enable_thinking: false } },
  });
  expect(request?.headers).toMatchObject({ 'x-team': 'support' });
});

it('a request that asks for no stream has no options of one', async () => {
  const server = await model(text('ok'));
  expect(await ask(configOf(server, { extraBody: { stream: false } }))).toMatchObject({ type: 'text' });
  expect(server.requests[0]?.body).toMatchObject({ stream: false });
  expect(server.requests[0]?.body).not.toHaveProperty('stream_options');
});

it.each<[string, ToolChoice, object, unknown]>([
  [
    'a tool, by the name that the model knows',
    { tool: 'look.up' },
    {},
    { type: 'function', function: { name: 'look_up' } },
  ],
  ['nothing after a call', 'required', { uncalled: false }, undefined],
  ['`none` in the call that concludes', 'required', { toolChoice: 'none' }, 'none'],
])('as its tool choice a server is told %s', async (_what, toolChoice, extra, sent) => {
  const server = await model(text('ok'));
  await ask(configOf(server, { toolChoice }), { tools: [lookup], uncalled: true, ...extra });
  expect(server.requests[0]?.body.tool_choice).toEqual(sent);
});

it('what a server repeats of extra headers and of keys in a body is in no error', async () => {
  const settings: ModelSettings = {
    extraHeaders: { 'X-Team': 'support', Authorization: 'Bearer abc-def-123' },
    extraBody: { user: 'ann', vault: { api_key: 'hush-hush' } },
    providerOptions: { house: { session: { token: 'open-sesame' } } },
  };
  const message = 'no support for abc-def-123, hush-hush and open-sesame of ann';
  const server = await model({ fault: { kind: 'status', status: 400, message } });
  const failure = await failureOf(ask(configOf(server, settings)));
  expect(JSON.stringify([failure.message, failure.details])).not.toMatch(/support|abc-def|hush|sesame/);
  expect(failure.message).toContain('of ann');
});

const config: ServerModel = { baseUrl: 'http://localhost:1/v1', model: 'm', temperature: 1, seed: 1 };

it('a model answers an agent with the settings of the agent before its own', () => {
  const manifest = { ...plainManifest, parallelToolCalls: false, modelSettings: { temperature: 0 } };
  const made = modelInEffect(config, manifest, { 'X-Team': 'support' });
  expect(made).toEqual({
    ...config,
    ...{ temperature: 0, parallelToolCalls: false, extraHeaders: { 'X-Team': 'support' } },
  });
  // Its HTTP client is made once.
  expect(modelInEffect(config, manifest, { 'X-Team': 'support' })).toBe(made);
  expect(modelInEffect(config, plainManifest, undefined)).toBe(config);
});
