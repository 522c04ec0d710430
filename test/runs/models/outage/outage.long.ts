import { OutageStage, plain, waitsOf } from './outage-stage';

let stage: OutageStage;
beforeAll(async () => {
  stage = await OutageStage.open();
});
afterEach(() => stage.reset());
afterAll(() => stage.close());

test('an outage of 24 hours costs under 3,500 events and ends with the answer', async () => {
  const { run, result, events } = await stage.outlast(plain, 24 * 60);
  expect(result).toBe('Back.');
  expect(events).toBeLessThan(3500);
  expect((await waitsOf(run)).slice(0, 5)).toEqual([60, 120, 300, 300, 300]);
  expect((await run.state()).turn).toBe(1);
  await stage.kit.replay(run);
}, 300_000);

test('an outage of 25 hours ends the run', async () => {
  const { run, result, events } = await stage.outlast(plain, 25 * 60);
  expect(result).toMatchObject({ type: 'ModelUnavailable' });
  expect(events).toBeLessThan(3500);
  await stage.kit.replay(run);
}, 300_000);
