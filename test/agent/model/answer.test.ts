import { addUsage, NO_USAGE, type Usage } from '../../../agent/model/answer';

it.each<[Usage, Usage, Usage]>([
  [NO_USAGE, NO_USAGE, { prompt: 0, completion: 0 }],
  [
    { prompt: 10, completion: 5 },
    { prompt: 3, completion: 2 },
    { prompt: 13, completion: 7 },
  ],
  [
    { prompt: 10, completion: 5, cached: 4, reasoning: 1 },
    { prompt: 3, completion: 2, cached: 2, reasoning: 3 },
    { prompt: 13, completion: 7, cached: 6, reasoning: 4 },
  ],
  [{ prompt: 10, completion: 5, cached: 4 }, NO_USAGE, { prompt: 10, completion: 5, cached: 4 }],
  [NO_USAGE, { prompt: 10, completion: 5, reasoning: 4 }, { prompt: 10, completion: 5, reasoning: 4 }],
  [
    { prompt: 1, completion: 1, cached: 0 },
    { prompt: 1, completion: 1, reasoning: 0 },
    { prompt: 2, completion: 2 },
  ],
])('the usage of %j and %j is %j', (a, b, sum) => {
  expect(addUsage(a, b)).toStrictEqual(sum);
});
