import { BackOff } from '../../../activities/mcp/back-off';

test('each failure doubles the wait, from 0.1 to 5 s', () => {
  const backOff = new BackOff();
  const waits = Array.from({ length: 8 }, () => {
    backOff.failed(0, 10);
    return backOff.wait(0);
  });
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
});

test('the wait counts from the failure, and is over when its time has passed', () => {
  const backOff = new BackOff();
  expect(backOff.wait(0)).toBe(0);
  backOff.failed(1000, 0);
  expect(backOff.wait(1040)).toBe(60);
  expect(backOff.wait(2000)).toBe(0);
});

test('a minute of health resets the wait, as if the server had never failed', () => {
  const backOff = new BackOff();
  for (let n = 0; n < 5; n++) backOff.failed(0, 100);
  backOff.failed(100_000, 60_000);
  expect(backOff.wait(100_000)).toBe(100);
});
