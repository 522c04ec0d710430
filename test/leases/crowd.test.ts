import { Gate } from '../../activities/model/leases/gate';
import type { ModelLimits } from '../../agent/leases/model-limits';
import { MOST_WAITING } from '../../agent/protocol/entities/leases';
import { SILENT_LOG } from '../../runtime/log';
import { until } from '../until';
import { stageOfGates } from './gates-stage';
import { usageOf } from './usage-of';

// The default of a server, which `holdfast dev` raises.
const { client, gates } = stageOfGates(['history.maxInFlightUpdates=10']);

/** The gate of another worker. */
function newGate(alias: string, limits: ModelLimits, name = alias) {
  const warned: string[] = [];
  const warn = (about: object, line?: string) => void warned.push(`${line} ${JSON.stringify(about)}`);
  const gate = new Gate(alias, limits, { ...SILENT_LOG, warn }, name);
  gates.push(gate);
  const enter = ({ interactive = false, waited = 0 } = {}) => {
    const want = { interactive, tokens: 0, waited, term: 600_000 };
    return gate.enter(client(), want, new AbortController().signal);
  };
  return { warned, enter };
}

const inUse = (alias: string) => usageOf(client().workflow, alias);

test('twenty workers in line leave room for the end of the call that they wait for', async () => {
  const workers = Array.from({ length: 20 }, () => newGate('crowd', { concurrent: 1 }));
  const order: string[] = [];
  const first = await newGate('crowd', { concurrent: 1 }).enter();
  const calls = workers.map(async ({ enter }, i) => {
    const lease = await enter();
    order.push(`task ${i}`);
    lease.settle();
  });
  let most = 0;
  let asked = 0;
  await until(async () => {
    const { waiting } = await inUse('crowd');
    most = Math.max(most, waiting);
    return waiting === MOST_WAITING && ++asked > 20;
  }, 'the line to be full');
  first.settle();
  await Promise.all(calls);
  expect(most).toBe(MOST_WAITING);
  expect(order).toHaveLength(20);
  // A machine that stands still for seconds exceeds the deadline of a question. None is refused.
  const refused = workers.flatMap(({ warned }) => warned.filter((line) => !/deadline/i.test(line)));
  expect(refused).toEqual([]);
});

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
