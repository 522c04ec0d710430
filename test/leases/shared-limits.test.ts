import { until } from '../until';
import { stageOfGates } from './gates-stage';
import { usageOf } from './usage-of';

// The default of a server, which `holdfast dev` raises.
const { client, newGate } = stageOfGates(['history.maxInFlightUpdates=10']);

const inUse = (alias: string) => usageOf(client().workflow, alias);

test('people do not wait behind the tasks that have waited for long, who leave some turns to them', async () => {
  const { enter } = newGate('turns', { concurrent: 1 });
  const first = await enter();
  const order: string[] = [];
  const queue = async (name: string, how: { interactive: boolean; waited: number }) => {
    const lease = await enter(how);
    order.push(name);
    await until(async () => (await inUse('turns')).waiting === 12 - order.length, 'the others to be in line again');
    lease.settle();
  };
  const tasks = Array.from({ length: 6 }, () => queue('task', { interactive: false, waited: 60_000 }));
  await until(async () => (await inUse('turns')).waiting === 6, 'the tasks in line');
  const people = Array.from({ length: 6 }, () => queue('person', { interactive: true, waited: 0 }));
  await until(async () => (await inUse('turns')).waiting === 12, 'the people in line');
  first.settle();
  await Promise.all([...tasks, ...people]);
  // A question is out of line for a moment when it is asked again: then the other kind has a turn more.
  const tasksOfEight = order.slice(0, 8).filter((one) => one === 'task').length;
  expect(tasksOfEight).toBeGreaterThanOrEqual(1);
  expect(tasksOfEight).toBeLessThanOrEqual(3);
});

test('of different limits the smallest hold, in any order of questions, and each worker says so once', async () => {
  const many = newGate('mixed', { requestsPerMinute: 1000 });
  const one = newGate('mixed', { concurrent: 1 });
  const first = await one.enter();
  const second = many.enter();
  await until(async () => (await inUse('mixed')).waiting === 1, 'the call in line');
  expect((await inUse('mixed')).limits).toEqual({ requestsPerMinute: 1000, concurrent: 1 });
  first.settle();
  (await second).settle();
  // Its end is told, although its own limits do not depend on it.
  await until(async () => Object.keys((await inUse('mixed')).open).length === 0, 'the lease to be settled');
  (await one.enter()).settle();
  for (const { warned } of [many, one]) {
    expect(warned).toEqual([expect.stringContaining('Workers have different `limits` for a model')]);
  }
});

test('limits with the same name are shared by different aliases, and those with different names are not', async () => {
  const first = await newGate('fast', { concurrent: 1 }, 'account').enter();
  const second = newGate('slow', { concurrent: 1 }, 'account').enter();
  await until(async () => (await inUse('account')).waiting === 1, 'the call of the other alias in line');
  (await newGate('fast', { concurrent: 1 }, 'other.account').enter()).settle();
  expect((await inUse('account')).waiting).toBe(1);
  first.settle();
  (await second).settle();
});
