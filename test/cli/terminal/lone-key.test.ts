import { LoneKey } from '../../../cli/terminal/lone-key';

let now = 0;
let keys: LoneKey;
beforeEach(() => {
  jest.useFakeTimers();
  keys = new LoneKey(() => now);
});
afterEach(() => {
  keys.end();
  jest.useRealTimers();
});

/** Lets time pass, in which a busy process may read nothing. */
function pass(ms: number): void {
  now += ms;
  jest.advanceTimersByTime(ms);
}

/** The pieces that arrive, each with the milliseconds since the one before. */
function arrive(pieces: readonly string[], gap = 100): string | undefined {
  for (const piece of pieces) {
    pass(gap);
    keys.note(piece);
  }
  return keys.pressed;
}

test('a single key and then Enter count once the menu has been visible for 500 ms', () => {
  keys.begin();
  expect(arrive(['a', '\r'])).toBeUndefined();
  pass(500);
  expect(arrive(['a', '\r'])).toBe('a');
  expect(arrive(['D', '\n'])).toBe('d');
  expect(arrive(['1', '\r'], 5000)).toBe('1');
});

test('a key that comes too early does not count, however late Enter comes', () => {
  keys.begin();
  expect(arrive(['a'], 499)).toBeUndefined();
  expect(arrive(['\r'], 5000)).toBeUndefined();
});

test('keys that were typed ahead do not count, even if a busy process reads them late', () => {
  keys.begin();
  now += 5000;
  // The timer is due, and the input is read right after it.
  jest.advanceTimersByTime(500 - 1);
  jest.advanceTimersToNextTimer();
  keys.note('a');
  expect(arrive(['\r'])).toBeUndefined();
});

test('input that comes at once, or faster than anyone types, is not a key', () => {
  keys.begin();
  pass(1000);
  for (const pieces of [
    ['a\r'],
    ['aa', '\r'],
    ['do not', '\r'],
    ['\x1b[A', '\r'],
    ['\x1ba', '\r'],
    ['\r', '\r'],
    [' ', '\r'],
  ]) {
    expect(arrive(pieces)).toBeUndefined();
  }
  expect(arrive(['a', '\r'], 5)).toBeUndefined();
});

test('another menu, or none, needs another key', () => {
  keys.begin();
  pass(1000);
  arrive(['a']);
  keys.begin();
  pass(1000);
  expect(arrive(['\r'])).toBeUndefined();
  arrive(['a']);
  keys.end();
  expect(arrive(['\r'])).toBeUndefined();
});
