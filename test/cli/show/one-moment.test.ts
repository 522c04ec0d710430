import { atOneMoment } from '../../../cli/show/one-moment';

/** A run whose history has grown whenever it is looked at, this number of times. */
function growing(times: number) {
  let left = times;
  let mark = 1;
  let readings = 0;
  const look = async () => {
    if (left > 0) mark += 1;
    left -= 1;
    return mark;
  };
  const marking = { first: mark, look, isSame: (before: number, after: number) => before === after };
  const read = async () => {
    readings += 1;
    return readings;
  };
  return atOneMoment(marking, read);
}

test('what holds still is read once, and what has changed in between is read again', async () => {
  expect(await growing(0)).toEqual({ mark: 1, read: 1, changing: false });
  expect(await growing(2)).toEqual({ mark: 3, read: 3, changing: false });
});

test('what never holds still is shown with a note', async () => {
  expect(await growing(Number.POSITIVE_INFINITY)).toMatchObject({ read: 8, changing: true });
});
