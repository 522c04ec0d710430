import { makeManifest } from '../../../activities/context/make-manifest';
import { defineAgent } from '../../../agent';

const models = { default: {}, large: { contextWindow: 128_000 }, small: { contextWindow: 8000 } };

it.each([
  [undefined, undefined],
  ['large', 128_000],
  [['large', 'small'], 8000],
  [['default', 'large'], 128_000],
  ['missing', undefined],
])('an agent with the models %j has a window of %s', (model, window) => {
  const { definition } = defineAgent({ name: 'test.window', ...(model === undefined ? {} : { model }) });
  expect(makeManifest(definition, [], { searchAttributes: false, models }).contextWindow).toBe(window);
});
