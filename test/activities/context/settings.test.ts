import { type AgentDefinition, defineAgent } from 'holdfast';
import { makeManifest } from '../../../activities/context/make-manifest';
import type { ModelSettings } from '../../../agent/model/settings';

const pinned = (more: object, aliases: { [alias: string]: ModelSettings } = {}) => {
  const models = Object.fromEntries(
    Object.entries(aliases).map(([alias, settings]) => [alias, { baseUrl: 'http://m/v1', model: 'm', ...settings }]),
  );
  const { definition } = defineAgent({ name: 'a.b', ...more } as AgentDefinition);
  return makeManifest(definition, [], { searchAttributes: false, models });
};

it('an agent without settings pins none: its hash stays the same', () => {
  const manifest = pinned({});
  for (const field of ['modelSettings', 'parallelToolCalls', 'forcesCall']) expect(manifest).not.toHaveProperty(field);
  expect(pinned({ modelSettings: {} })).toEqual(manifest);
});

it('pins the settings of an agent, but no header: keys belong in no history', () => {
  const modelSettings = { topP: 0.5, parallelToolCalls: false, extraHeaders: { 'X-Key': 'abcd1234' } };
  const manifest = pinned({ modelSettings });
  expect(manifest).toMatchObject({ modelSettings: { topP: 0.5 }, parallelToolCalls: false });
  expect(manifest.modelSettings).toEqual({ topP: 0.5 });
  expect(JSON.stringify(manifest)).not.toContain('abcd1234');
});

it.each<[string, object, { [alias: string]: ModelSettings }, true | undefined]>([
  ['the agent requires one', { modelSettings: { toolChoice: 'required' } }, {}, true],
  ['an alias of its chain requires one', { model: ['a', 'b'] }, { b: { toolChoice: { tool: 'look' } } }, true],
  ['another alias requires one', { model: 'a' }, { b: { toolChoice: 'required' } }, undefined],
  [
    'the agent overrides its alias',
    { modelSettings: { toolChoice: 'auto' } },
    { default: { toolChoice: 'required' } },
    undefined,
  ],
])('knows whether a call is forced: %s', (_what, agent, models, forces) => {
  expect(pinned(agent, models).forcesCall).toBe(forces);
});
