import { makeManifest } from '../../../activities/context/make-manifest';
import { DECISIONS } from '../../../agent/protocol/decisions';

const pinned = (decisions?: number) =>
  makeManifest({ name: 'desk' }, [], { searchAttributes: false, decisions }).decisions;

test('a run takes the decisions that both of the workers know which begin it', () => {
  expect(pinned(DECISIONS - 1)).toBe(DECISIONS - 1);
  expect(pinned(DECISIONS)).toBe(DECISIONS);
  expect(pinned(DECISIONS + 1)).toBe(DECISIONS);
});

test('the worker of a workflow that does not say what it knows is taken for one of the same version', () => {
  expect(pinned()).toBe(DECISIONS);
});
