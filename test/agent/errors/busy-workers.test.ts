import { busyText } from '../../../agent/errors/busy-workers';

/** The time is in the time zone of the reader, wherever the test runs. */
const since = new Date(2026, 0, 2, 3, 4, 5).toISOString();

it('a busy worker is named, with the time', () => {
  expect(busyText({ workers: ['7@host'], since })).toBe(
    'The worker `7@host` is busy since 03:04:05, or ended then: a tool may block the event loop, and its log says which. ' +
      'Wait, or start another with `holdfast worker`.',
  );
});

it('several busy workers are all named', () => {
  expect(busyText({ workers: ['7@host', '8@host'], since })).toBe(
    'The workers `7@host`, `8@host` are busy since 03:04:05, or ended then: a tool may block the event loop, and their ' +
      'logs say which. Wait, or start another with `holdfast worker`.',
  );
});
