import { contextSpec } from '../../../activities/context/context-spec';

it('is pinned as it is set; a function is only named', () => {
  expect(contextSpec(undefined)).toBeUndefined();
  expect(contextSpec({})).toStrictEqual({ strategy: 'trim' });
  expect(contextSpec({ strategy: () => '', keep: 3 })).toStrictEqual({ strategy: 'function', keep: 3 });
  const all = { strategy: 'summarise', threshold: 9, model: 'cheap', wrapUp: 0, reserve: { safety: 1 } } as const;
  expect(contextSpec(all)).toStrictEqual(all);
});
