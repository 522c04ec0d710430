import { Gate, type Lease } from '../../activities/model/leases/gate';
import type { ModelLimits } from '../../agent/leases/model-limits';
import { LEASE_WAIT } from '../../agent/protocol/entities/leases';
import { SILENT_LOG } from '../../runtime/log';
import { until } from '../until';
import { stageOfGates } from './gates-stage';
import { usageOf } from './usage-of';

const { client, gates } = stageOfGates();
const LIMITS = { tokensPerMinute: 100 };
const ROUNDS = 3;

function newGate(alias: string, limits: ModelLimits = LIMITS): Gate {
  const gate = new Gate(alias, limits, SILENT_LOG);
  gates.push(gate);
  return gate;
}

const inUse = (alias: string) => usageOf(client().workflow, alias);

function enter(gate: Gate, tokens: number, interactive = false) {
  const caller = new AbortController();
  const want = { interactive, tokens, waited: 0, term: 600_000 };
  return { caller, lease: gate.enter(client(), want, caller.signal) };
}

/** A call that needs more than is left of the minute, and waits in line. */
async function tooLarge(alias: string, gate: Gate, interactive = false) {
  const { caller, lease } = enter(gate, 90, interactive);
  await until(async () => (await inUse(alias)).waiting > 0, 'the large call in line');
  return async () => {
    caller.abort(new Error('left'));
    await expect(lease).rejects.toThrow('left');
  };
}

/** The longest of some rounds, in milliseconds. */
async function slowest(round: () => Promise<void>): Promise<number> {
  const took: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const began = Date.now();
    await round();
    took.push(Date.now() - began);
  }
  return Math.max(...took);
}

test('a call that leaves the line makes way for the calls of other workers at once', async () => {
  const [large, small] = [newGate('way'), newGate('way')];
  (await enter(small, 20).lease).settle({ tokens: 20 });
  let longest = 0;
  for (let i = 0; i < ROUNDS; i++) {
    const leave = await tooLarge('way', large);
    const behind = enter(small, 1).lease;
    await until(async () => (await inUse('way')).waiting === 2, 'the small call behind it');
    const began = Date.now();
    await leave();
    (await behind).settle({ tokens: 1 });
    longest = Math.max(longest, Date.now() - began);
  }
  expect(longest).toBeLessThan(LEASE_WAIT / 2);
});

test('the next call of the same person is asked for at once', async () => {
  const gate = newGate('again');
  (await enter(gate, 20).lease).settle({ tokens: 20 });
  const leaves: (() => Promise<void>)[] = [];
  for (let i = 0; i < ROUNDS; i++) leaves.push(await tooLarge('again', gate, true).then((leave) => leave));
  for (const leave of leaves) await leave();
  const longest = await slowest(async () => {
    (await enter(gate, 1, true).lease).settle({ tokens: 1 });
  });
  expect(longest).toBeLessThan(LEASE_WAIT / 2);
});

test('a lease that was given to a call which had left is given back, with its place in the minute', async () => {
  const alias = 'back';
  const limits = { requestsPerMinute: 100, concurrent: 1 };
  const [one, other] = [newGate(alias, limits), newGate(alias, limits)];
  const first: Lease = await enter(one, 0).lease;
  const inLine = enter(other, 0);
  await until(async () => (await inUse(alias)).waiting === 1, 'the call in line');
  // Both at the same moment: the lease may be given before the workflow hears that the call has left.
  first.settle();
  inLine.caller.abort(new Error('left'));
  await inLine.lease.catch(() => undefined);
  await until(async () => {
    const { open, waiting } = await inUse(alias);
    return waiting === 0 && Object.keys(open).length === 0;
  }, 'nothing to be in use');
  const { slots } = await inUse(alias);
  expect(slots.reduce((sum, { requests }) => sum + requests, 0)).toBe(1);
});
