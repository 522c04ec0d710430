import { factsOf } from '../../../facts';
import { brief, careful, chain, OutageStage, plain, waitsOf } from './outage-stage';

let stage: OutageStage;
beforeAll(async () => {
  stage = await OutageStage.open();
});
afterEach(() => stage.reset());
afterAll(() => stage.close());

test.each([
  ['without a Retry-After', {}],
  ['with a Retry-After of a second', { 'retry-after': '1' }],
])('an outage of four minutes delays a run, %s', async (_what, headers) => {
  const { run, result } = await stage.outlast(plain, 4, headers);
  expect(result).toBe('Back.');
  expect(await waitsOf(run)).toEqual([60, 120]);
  // About seven attempts a minute: the back-off counts where it is longer than what the server asks for.
  expect(stage.requests).toBeLessThan(25);
  expect(await run.state()).toMatchObject({ turn: 1, toolInteractions: { current: 1 } });
  expect(await run.state()).not.toHaveProperty('outage');
  await stage.kit.replay(run);
});

test('each wait is a fact with the reason, the attempt and the time of the next', async () => {
  const { run } = await stage.outlast(plain, 4);
  const waits = (await factsOf(run)).filter((fact) => fact.type === 'model.waiting');
  expect(waits).toMatchObject([
    { turn: 1, model: 'flaky', attempt: 1, error: { type: 'ModelUnavailable' } },
    { turn: 1, model: 'flaky', attempt: 2, error: { message: expect.stringContaining('503') } },
  ]);
});

test('a Retry-After of two hours is waited for, once', async () => {
  const { run, result } = await stage.outlast(plain, 100, { 'retry-after': '7200' });
  expect(result).toBe('Back.');
  const waits = await waitsOf(run);
  expect(waits).toHaveLength(1);
  // Many runs may wait for it: each asks up to 15 s later.
  expect(waits[0]).toBeGreaterThanOrEqual(7200);
  expect(waits[0]).toBeLessThanOrEqual(7215);
  expect(stage.requests).toBe(2);
});

test('a Retry-After is waited for no longer than the patience with the model lasts', async () => {
  const { run, result } = await stage.outlast(brief, 60, { 'retry-after': '7200' });
  expect(result).toMatchObject({ type: 'ModelRateLimited' });
  expect(await waitsOf(run)).toEqual([600]);
});

test('when patience with a model ends, a run fails with the last error; the failed call is not a turn', async () => {
  const { run, result } = await stage.outlast(brief, 60);
  expect(result).toMatchObject({ type: 'ModelUnavailable', message: expect.stringContaining('503') });
  const waits = await waitsOf(run);
  expect(waits.slice(0, 2)).toEqual([60, 120]);
  expect(waits.length).toBeLessThan(6);
  expect(await run.state()).toMatchObject({ turn: 0, toolInteractions: { current: 0 } });
  await stage.kit.replay(run);
});

test('another model takes over after two minutes, and at once when the server asks for a longer wait', async () => {
  stage.other.script({ text: 'From the other.' }, { text: 'From the other.' });
  const slow = await stage.outlast(chain, 60);
  expect(slow.result).toBe('From the other.');
  const waits = await waitsOf(slow.run);
  expect(waits[0]).toBe(60);
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(120);
  await stage.kit.replay(slow.run);
  stage.requests = 0;
  const quick = await stage.outlast(chain, 60, { 'retry-after': '600' });
  expect(quick.result).toBe('From the other.');
  expect(await waitsOf(quick.run)).toEqual([]);
  expect(stage.requests).toBe(1);
});

test('a static answer takes over as another model would', async () => {
  const { run, result } = await stage.outlast(careful, 60);
  expect(result).toBe('sorry');
  expect((await waitsOf(run))[0]).toBe(60);
});
