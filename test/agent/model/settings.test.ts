import { type ModelSettings, mergeSettings, settingsOf } from '../../../agent/model/settings';

it('takes the settings from the configuration of a model, and nothing else', () => {
  const config = { model: 'm', baseUrl: 'http://x/v1', apiKey: 'k', topP: 0.5, seed: 0, stop: ['.'] };
  expect(settingsOf(config)).toEqual({ topP: 0.5, seed: 0, stop: ['.'] });
});

// A caller without types could write this.
const defaults = { topP: undefined } as object;

it.each<[string, ModelSettings, ModelSettings, ModelSettings]>([
  ['nothing', {}, {}, {}],
  ['each setting of the agent before that of the alias', { topP: 0.5, seed: 1 }, { topP: 0.9 }, { topP: 0.9, seed: 1 }],
  ['a setting that is not set', { topP: 0.5 }, { ...defaults }, { topP: 0.5 }],
  ['a list as a whole', { stop: ['a', 'b'] }, { stop: ['c'] }, { stop: ['c'] }],
  [
    'fields of the body one by one',
    { extraBody: { top_k: 1, guided: { a: 1 } } },
    { extraBody: { guided: { b: 2 } } },
    { extraBody: { top_k: 1, guided: { b: 2 } } },
  ],
  ['a body that only the alias has', { extraBody: { top_k: 1 } }, { seed: 1 }, { extraBody: { top_k: 1 }, seed: 1 }],
  [
    'headers by their names in any case',
    { extraHeaders: { 'X-Team': 'a', 'X-Zone': 'eu' } },
    { extraHeaders: { 'x-team': 'b' } },
    { extraHeaders: { 'X-Zone': 'eu', 'x-team': 'b' } },
  ],
  [
    'options of a provider one by one',
    { providerOptions: { anthropic: { effort: 'low', speed: 'fast' }, google: { a: 1 } } },
    { providerOptions: { anthropic: { effort: 'high' } } },
    { providerOptions: { anthropic: { effort: 'high', speed: 'fast' }, google: { a: 1 } } },
  ],
])('merges %s', (_what, alias, agent, merged) => {
  expect(mergeSettings(alias, agent)).toEqual(merged);
});
