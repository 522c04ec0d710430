import type { Json } from '../../../agent/values/json';
import { takesOver } from '../../../workflows/state/selectors/model-in-use';
import { afterModelFailure } from '../../../workflows/turn/switch-model';
import { withManifest } from '../state/fold';
import { runState } from '../state-data';

/** A run whose agent has `models` models and uses the one at index `model`. */
const using = (model: number, models: number, fallbackAnswer?: Json) => {
  const chain = Array.from({ length: models }, (_, i) => `m${i}`);
  return withManifest({ models: chain, ...(fallbackAnswer === undefined ? {} : { fallbackAnswer }) }, { model });
};
const { manifest: _, ...unknown } = runState();

describe('a model that has failed for good', () => {
  it.each([
    ['next', 'there is one more', using(0, 2)],
    ['next', 'there is one more before the static answer', using(1, 3, 'Call us.')],
    ['fallback', 'it was the last one before the static answer', using(1, 2, 'Call us.')],
    ['fallback', 'the static answer is null', using(0, 1, null)],
    ['fail', 'it was the last one', using(1, 2)],
    ['fail', 'the agent is not known', unknown],
  ])('is followed by: %s, if %s', (follows, _where, state) => {
    expect(afterModelFailure(state, 'ModelUnavailable')).toBe(follows);
    expect(takesOver(state)).toBe(follows !== 'fail');
  });

  it.each([
    ...['Refused', 'ModelNotFound', 'ModelUnauthorized', 'ModelQuotaExceeded', 'ModelRateLimited', 'ModelUnavailable'],
    ...['ModelAnswerUnreadable', 'ModelAnswerTooLarge', 'ModelAnswerTooSlow', 'UnknownModel'],
  ])('with %s may be followed by another', (type) => {
    expect(afterModelFailure(using(0, 2), type)).toBe('next');
  });

  it.each(['Error', ''])('with %j is not followed by another, which would fail too', (type) => {
    expect(afterModelFailure(using(0, 2, 'Call us.'), type)).toBe('fail');
  });

  it.each(['ModelContextTooLong', 'ModelRequestInvalid'])(
    'with %s may be followed by another, except in runs of before',
    (type) => {
      const before = using(0, 2, 'Call us.');
      expect(afterModelFailure(before, type)).toBe('fail');
      const { manifest } = before;
      expect(afterModelFailure({ ...before, ...(manifest && { manifest: { ...manifest, decisions: 6 } }) }, type)).toBe(
        'next',
      );
    },
  );
});
