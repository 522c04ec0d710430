import { makeManifest } from '../../../activities/context/make-manifest';
import { type AgentDefinition, defineAgent } from '../../../agent';

const baseUrl = 'http://127.0.0.1:1/v1';
const prices = { prompt: 1, completion: 2 };
const models = {
  large: { baseUrl, model: 'm-large', prices },
  tiny: { baseUrl, model: 'm-tiny', modelClass: 'small' as const },
  cheap: { baseUrl, model: 'm-cheap', prices },
};
const manifestOf = (definition: Omit<AgentDefinition, 'name'>) =>
  makeManifest(defineAgent({ name: 'test.strategy', ...definition }).definition, [], {
    searchAttributes: false,
    models,
  });

it('a run pins the models of all purposes, with what can be asked of them and their prices', () => {
  const manifest = manifestOf({
    model: 'tiny',
    strategy: 'plan',
    models: { planner: 'large', router: 'tiny', summary: 'cheap' },
  });
  expect(manifest.purposes).toEqual({ planner: 'large', router: 'tiny' });
  expect(manifest.models).toEqual(['tiny']);
  expect(Object.keys(manifest.modelSpecs ?? {})).toEqual(['tiny', 'large']);
  expect(Object.keys(manifest.prices ?? {}).sort()).toEqual(['cheap', 'large']);
  expect(manifest.context).toEqual({ strategy: 'trim', model: 'cheap' });
  expect(manifest.strategy).toEqual({ type: 'plan', stepTools: 15 });
});

it('the main model decides whether an agent is for small models, unless the agent says so', () => {
  expect(manifestOf({ model: ['tiny', 'large'] }).modelClass).toBe('small');
  expect(manifestOf({ model: ['large', 'tiny'] }).modelClass).toBeUndefined();
  expect(manifestOf({ model: 'large', modelClass: 'small' }).modelClass).toBe('small');
  expect(manifestOf({ model: 'large', strategy: 'plan', models: { router: 'tiny' } }).modelClass).toBeUndefined();
});

it('a plan that needs approval is a call that no other agent has', () => {
  const shown = manifestOf({ strategy: { type: 'plan', approval: { deciders: ['ann'] } } }).tools;
  expect(shown).toMatchObject([
    { name: 'follow_plan', kind: 'loop', loop: { does: 'plan' }, approval: { deciders: ['ann'] } },
  ]);
  expect(manifestOf({ strategy: { type: 'plan', approval: 'never' } }).tools).toEqual([]);
  expect(manifestOf({})).not.toHaveProperty('strategy');
});
