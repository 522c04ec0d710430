import { MOST_WAITING } from '../../agent/protocol/entities/leases';
import { until } from '../until';
import { stageOfGates } from './gates-stage';
import { usageOf } from './usage-of';

// The default of a server, which `holdfast dev` raises.
const { client, newGate } = stageOfGates(['history.maxInFlightUpdates=10']);

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
