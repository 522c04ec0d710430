import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { clock } from '../clock';
import { type Figure, type Settings, scaled } from '../figure';
import type { ModelMessage } from '../model-process';
import { percentile, range, short } from '../pairs';
import { startPlainServer } from '../plain-server';
import { oursSide, type Side } from '../side';
import { Stage } from '../stage';

const SAMPLES = 40;
const MAX = 40;
/** Without the push, the cancellation arrives with the next heartbeat, which is sent once a second. */
const HEARTBEAT = 1000;
const MAX_BY_HEARTBEAT = 1000;

/** A way to make a run close the socket of the call in progress. */
interface Way {
  name: string;
  agent: string;
  stop(handle: WorkflowHandle): Promise<unknown>;
  /** The run does not end with it. */
  goesOn: boolean;
}

const CANCEL: Way = { name: 'cancel', agent: 'bench.loop', stop: (handle) => handle.cancel(), goesOn: false };
const WAYS: readonly Way[] = [
  CANCEL,
  {
    name: 'steer now',
    agent: 'bench.loop',
    stop: (handle) => handle.executeUpdate('steer', { args: [{ text: 'Shorter!', when: 'now' }] }),
    goesOn: true,
  },
  {
    name: 'interrupt',
    agent: 'bench.talking',
    stop: (handle) => handle.executeUpdate('interrupt', { args: [{}] }),
    goesOn: true,
  },
];

/** This process sends the command, and the model's process sees the socket close. Both read the same clock. */
export const cancelToAbort: Figure = {
  name: 'cancel_to_abort',
  what: "p95 ms from cancel, steer now or interrupt, the slowest, in another process to the provider's closed socket",
  unit: 'ms',
  bar: { on: 'value', max: MAX },
  async measure(settings) {
    const samples = scaled(settings, SAMPLES);
    const bare: number[] = [];
    const pushed = await withStage(settings, undefined, (stage) =>
      sampleAll(stage, samples, async () => {
        bare.push(await sample(stage, stage.bare, CANCEL, 0));
      }),
    );
    settings.tell(`with the push: ${said(pushed, MAX)}; bare cancel p95 ${short(p95(bare))}`);
    const slow = await byHeartbeat(settings, samples);
    settings.tell(`without the push: ${said(slow, MAX_BY_HEARTBEAT)}`);
    return {
      value: Math.max(...[...pushed.values()].map(p95)),
      bare: p95(bare),
      // A bare run can only be cancelled.
      ratio: p95(pushed.get(CANCEL) ?? []) / p95(bare),
      note: `${samples} samples each: ${said(pushed, MAX)}; bare and ratio are of cancel; without the server's flags ${said(slow, MAX_BY_HEARTBEAT)}`,
    };
  },
};

/** Milliseconds for each way. */
type Samples = ReadonlyMap<Way, readonly number[]>;

/** Measures all ways in turn, each at a different moment between two heartbeats. */
async function sampleAll(
  stage: Stage,
  samples: number,
  beside: () => Promise<void> = async () => {},
): Promise<Samples> {
  const all = new Map(WAYS.map((kind) => [kind, [] as number[]]));
  const sides = new Map(WAYS.map(({ agent }) => [agent, oursSide(stage.agents, agent)]));
  for (let i = 0; i < samples; i++) {
    for (const [kind, times] of all)
      times.push(await sample(stage, sides.get(kind.agent) ?? stage.ours, kind, i / samples));
    await beside();
  }
  return all;
}

function p95(times: readonly number[]): number {
  return percentile(times, 0.95);
}

function said(all: Samples, max: number): string {
  const each = [...all].map(
    ([{ name }, times]) =>
      `${name} p95 ${short(p95(times))} (${range(times)}${p95(times) <= max ? '' : `, MISSES ${max}`})`,
  );
  return each.join(', ');
}

async function byHeartbeat(settings: Settings, samples: number): Promise<Samples> {
  const server = await startPlainServer();
  try {
    return await withStage(settings, server.address, (stage) => sampleAll(stage, samples));
  } finally {
    await server.stop();
  }
}

async function withStage<T>(
  { bundle }: Settings,
  address: string | undefined,
  use: (stage: Stage) => Promise<T>,
): Promise<T> {
  const stage = await Stage.open({ bundle, ...(address === undefined ? {} : { address }) });
  try {
    await stage.warmUp(stage, 5);
    return await use(stage);
  } finally {
    await stage.close();
  }
}

let held = 0;

/** One abort of a model call whose answer has started. `phase`: the fraction of a heartbeat interval before it. */
async function sample(stage: Stage, side: Side, { stop, goesOn }: Way, phase: number): Promise<number> {
  const hold = `hold-${held++}`;
  const arrived = told(stage, 'arrived', hold);
  const closed = told(stage, 'closed', hold);
  const handle = await side.start({ turns: 0, hold });
  await arrived;
  // At least a moment, so that the answer's first chunk has been read.
  await sleep(50 + phase * HEARTBEAT);
  const begin = clock();
  await stop(handle);
  const ms = (await closed) - begin;
  if (goesOn) await handle.cancel();
  await handle.result().catch(() => undefined);
  return ms;
}

/** The time at which the model's process reports this for a held answer. */
function told({ model }: Stage, type: 'arrived' | 'closed', hold: string): Promise<number> {
  return new Promise((resolve) => {
    const listen = (message: ModelMessage) => {
      if (message.type !== type || message.hold !== hold) return;
      model.process.off('message', listen);
      resolve(message.at);
    };
    model.process.on('message', listen);
  });
}
