import { outageOfFact, outageText, tellsOf, waysByCommand } from '../../../agent/state/outage-text';

const error = { type: 'ModelUnavailable', message: 'no answer' };
const told = { model: 'house', since: 0, failures: 1, error, nextAt: 60_000 };

test('what is away, since when, what Holdfast does, what a person can do, and why', () => {
  expect(outageText(told, { ways: waysByCommand("mail '7") })).toBe(
    'The model `house` has given no answer since 1970-01-01T00:00:00.000Z. ' +
      'Holdfast asks it again at 1970-01-01T00:01:00.000Z. ' +
      "`holdfast retry 'mail '\\''7'` asks it at once, " +
      "`holdfast switch-model 'mail '\\''7' <alias>` has the run use another model. " +
      'It failed with ModelUnavailable: no answer',
  );
});

test('the calls of an outage are counted, and one in progress has no next time', () => {
  const { nextAt: _, ...during } = { ...told, failures: 3 };
  const words = { time: (ms: number) => `${ms / 1000} s`, name: (model: string) => model.toUpperCase() };
  expect(outageText(during, words)).toBe(
    'The model HOUSE has given no answer since 0 s. Holdfast is asking it again now. ' +
      'It has failed 3 times in a row, the last time with ModelUnavailable: no answer',
  );
});

test('a fact tells it, also one of a worker that does not say since when', () => {
  const fact = { type: 'model.waiting', seq: 1, time: 9, exchange: 1, turn: 1, attempt: 1, nextAt: 60_000 } as const;
  expect(outageOfFact({ ...fact, model: 'house', since: 0, error })).toEqual(told);
  const { since: _, ...old } = told;
  expect(outageText(outageOfFact({ ...fact, model: 'house', error }))).toBe(outageText(old));
  expect(outageText(old)).toMatch(/^The model `house` gives no answer\. /);
});

test('a text about an outage that was told says nothing new', () => {
  expect(tellsOf(outageText({ ...told, failures: 4 }), told)).toBe(true);
  expect(tellsOf(outageText(told), { ...told, since: 5 })).toBe(false);
  expect(tellsOf(outageText(told), undefined)).toBe(false);
});
