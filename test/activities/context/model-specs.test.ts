import { makeManifest } from '../../../activities/context/make-manifest';
import { defineAgent } from '../../../agent';
import { defineModel } from '../../../workers';

const baseUrl = 'http://127.0.0.1:1/v1';
const models = {
  default: { baseUrl, model: 'm-1' },
  new: { baseUrl, model: 'm-2', api: 'responses' as const },
  own: defineModel({
    model: 'm-3',
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

it('a run pins the adapter and the name of each model of its chain', () => {
  expect(manifestOf().modelSpecs).toEqual({ default: { adapter: 'chat', model: 'm-1' } });
  expect(manifestOf(['new', 'own', 'gone']).modelSpecs).toEqual({
    new: { adapter: 'responses', model: 'm-2' },
    own: { adapter: 'function', model: 'm-3' },
  });
});

it('a manifest made without models has no such field, as before', () => {
  expect(
    makeManifest(defineAgent({ name: 'test.models' }).definition, [], { searchAttributes: false }),
  ).not.toHaveProperty('modelSpecs');
});
