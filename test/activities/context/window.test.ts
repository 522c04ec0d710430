import { makeManifest } from '../../../activities/context/make-manifest';
import { defineAgent } from '../../../agent';

const server = { baseUrl: 'http://127.0.0.1:1/v1', model: 'm' };
const models = {
  default: server,
  large: { ...server, contextWindow: 128_000 },
  small: { ...server, contextWindow: 8000 },
};

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
