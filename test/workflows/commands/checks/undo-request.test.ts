import fc from 'fast-check';
import { checkUndo } from '../../../../workflows/commands/checks/check-message';
import { refusal } from '../../../agent/refusal';
import { notSaid } from './not-said';

describe('an undo request', () => {
  test.each([{}, { count: 1 }, { count: 100, by: 'ann' }, { toolUseId: 't1.1', by: 'ann' }])(
    'may be %j, and is not changed',
    (given) => {
      expect(checkUndo(given)).toStrictEqual(given);
    },
  );

  test('is the last effect by default', () => {
    expect([checkUndo(undefined), checkUndo(null)]).toStrictEqual([{}, {}]);
  });

  test('may name a whole number of effects, up to a hundred', () => {
    const wrong = fc.oneof(
      fc.integer({ max: 0 }),
      fc.integer({ min: 101 }),
      fc.double().filter((count) => !Number.isInteger(count)),
      fc.constantFrom('3', null, true, [3], {}),
    );
    fc.assert(
      fc.property(wrong, (count) => {
        expect(refusal(() => checkUndo({ count }))).toEqual(
          notSaid('Expected `count` to be a whole number from 1 to 100'),
        );
      }),
      { examples: [[0], [101], [1.5], [-1]] },
    );
  });

  test.each<[unknown, string]>([
    [{ toolUseId: 't1.1', count: 1 }, 'Expected `count` or `toolUseId`, not both'],
    [{ last: 2 }, 'Unknown field `last`; known are count, toolUseId, by'],
    [2, 'Expected an object such as `{"count": 1}`'],
  ])('cannot be %j', (given, problem) => {
    expect(refusal(() => checkUndo(given))).toEqual(notSaid(problem));
  });
});
