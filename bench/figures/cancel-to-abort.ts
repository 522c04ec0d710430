import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { clock } from '../clock';
import { type Figure, type Settings, scaled } from '../figure';
import type { ModelMessage } from '../model-process';
import { type Pair, percentile, range, short } from '../pairs';
import { startPlainServer } from '../plain-server';
import { oursSide, type Side } from '../side';
import { Stage } from '../stage';

const SAMPLES = 40;
const MAX = 100;
/** Without the push a cancel arrives with the next heartbeat, which is sent once a second. */
const HEARTBEAT = 1000;
const MAX_BY_HEARTBEAT = 1000;

/** The cancel comes from this process, the socket is that of the model's process; both read one clock. */
export const cancelToAbort: Figure = {
  name: 'cancel_to_abort',
  what: "p95 ms from cancel, in another process, to the provider's closed socket",
  unit: 'ms',
  bar: { on: 'value', max: MAX },
  async measure(settings) {
    const samples = scaled(settings, SAMPLES);
    const steered: number[] = [];
    const interrupted: number[] = [];
    const pushed = await withStage(settings, undefined, async (stage) => {
      const pairs: Pair[] = [];
      const talking = oursSide(stage.agents, 'bench.talking');
      for (let i = 0; i < samples; i++) {
        pairs.push({ ours: await sample(stage, stage.ours, i / samples), bare: await sample(stage, stage.bare, 0) });
        steered.push(await sample(stage, stage.ours, i / samples, steer));
        interrupted.push(await sample(stage, talking, i / samples, interrupt));
      }
      return pairs;
    });
    const ours = pushed.map((pair) => pair.ours);
    const [value, bare] = [
      percentile(ours, 0.95),
      percentile(
        pushed.map((pair) => pair.bare),
        0.95,
      ),
    ];
    settings.tell(`with the push: p95 ours ${short(value)}, bare ${short(bare)}`);
    const slow = await byHeartbeat(settings, samples);
    const p95 = percentile(slow, 0.95);
    const mark = p95 <= MAX_BY_HEARTBEAT ? '' : ', MISSES';
    return {
      value,
      bare,
      ratio: value / bare,
      note: `${samples} samples each, ours ${range(ours)}; ${said('steer now', steered)}; ${said('interrupt', interrupted)}; without the server's flags p95 ${short(p95)}, ${range(slow)} (≤ ${MAX_BY_HEARTBEAT}${mark})`,
    };
  },
};

async function byHeartbeat(settings: Settings, samples: number): Promise<number[]> {
  const server = await startPlainServer();
  try {
    return await withStage(settings, server.address, async (stage) => {
      const all: number[] = [];
      for (let i = 0; i < samples; i++) all.push(await sample(stage, stage.ours, i / samples));
      return all;
    });
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
    await stage.warmUp(5);
    return await use(stage);
  } finally {
    await stage.close();
  }
}

/** What makes a run close the socket of the call under way. */
type Stop = (handle: WorkflowHandle) => Promise<unknown>;

const cancel: Stop = (handle) => handle.cancel();
const steer: Stop = (handle) => handle.executeUpdate('steer', { args: [{ text: 'Shorter!', when: 'now' }] });
const interrupt: Stop = (handle) => handle.executeUpdate('interrupt', { args: [{}] });

function said(what: string, all: readonly number[]): string {
  const p95 = percentile(all, 0.95);
  return `${what} p95 ${short(p95)}${p95 <= MAX ? '' : ', MISSES'}`;
}

let held = 0;

/** One cancel of a model call whose answer has begun; `phase` is the part of a heartbeat that passes before it. */
async function sample(stage: Stage, side: Side, phase: number, stop: Stop = cancel): Promise<number> {
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
  // One that was only broken off goes on.
  if (stop !== cancel) await handle.cancel();
  await handle.result().catch(() => undefined);
  return ms;
}

/** When the model's process tells this of a held answer. */
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
