import { setTimeout } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { Gate, type Lease } from '../../activities/model/leases/gate';
import type { ModelLimits } from '../../agent/leases/model-limits';
import { SILENT_LOG } from '../../runtime/log';
import { Relay } from '../relay';
import { until } from '../until';
import { stageOfGates } from './gates-stage';
import { usageOf } from './usage-of';

const { client, address, gates, newGate } = stageOfGates();

let relay: Relay;
let far: Client;
beforeAll(async () => {
  relay = await Relay.to(address());
  far = new Client({ connection: await Connection.connect({ address: relay.address }) });
});
afterAll(async () => {
  await far.connection.close();
  await relay.refuse();
});

// Otherwise the next minute would begin while the calls of this one are hardly made.
test.each<ModelLimits & { concurrent: number }>([{ concurrent: 1, requestsPerMinute: 9 }, { concurrent: 1 }])(
  'a call whose lease was on its way for seconds counts from when it begins: %j',
  async (limits) => {
    const alias = `late ${Object.keys(limits)}`;
    const first = await newGate(alias, limits).enter();
    const gate = new Gate(alias, limits, SILENT_LOG);
    gates.push(gate);
    const want = { interactive: true, tokens: 0, waited: 0, term: 600_000 };
    let begun: { lease: Lease; at: number } | undefined;
    void gate.enter(far, want, new AbortController().signal).then((lease) => {
      begun = { lease, at: Date.now() };
    });
    const usage = () => usageOf(client().workflow, alias);
    await until(async () => (await usage()).waiting === 1, 'the call in line');
    relay.freeze();
    const before = Object.keys((await usage()).open);
    first.settle();
    await until(async () => {
      const { open } = await usage();
      return Object.keys(open).some((id) => !before.includes(id));
    }, 'its lease to be given');
    const given = (await usage()).slots.at(-1)?.second ?? 0;
    await setTimeout(3000);
    await relay.open();
    await until(() => begun !== undefined, 'the call to begin');
    await until(
      async () => (await usage()).slots.some(({ second }) => second >= given + 3),
      'the second in which it begins',
    );
    const { slots, open } = await usage();
    // As the worker's clock and the server's are the same here.
    const begins = slots.filter(({ requests }) => requests > 0).map(({ second }) => second);
    expect(begins.at(-1)).toBeGreaterThanOrEqual(Math.floor((begun?.at ?? 0) / 1000));
    expect(slots.reduce((sum, { requests }) => sum + requests, 0)).toBe(2);
    expect(Object.keys(open)).toHaveLength(1);
    begun?.lease.settle();
    await until(async () => Object.keys((await usage()).open).length === 0, 'its end to be known');
  },
);
