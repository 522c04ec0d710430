import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { AgentClient } from '../../client/agent-client';
import { eachLine, endChild, endWithParent } from '../../runtime/process/child-process';
import { freePort } from '../../runtime/process/ports';
import { connect } from '../../runtime/temporal/connection';
import { startDevServer } from '../../workers/dev/dev-server';
import { Child } from '../child';
import type { Figure, Settings } from '../figure';
import { interleave, median, short, summarize } from '../pairs';
import { bareSide, oursSide, type Side } from '../side';
import { models } from '../work';

/** "Accepted" includes the worker: the time ends with the result of a run without turns, which calls the model once. */
export const startTime: Figure = {
  name: 'start_time',
  what: 's from `holdfast dev` to the first accepted run',
  unit: 's',
  bar: { on: 'value', max: 2 },
  async measure(settings) {
    const model = await Child.start<{ url: string }>(require.resolve('../model-process'));
    const ready: number[] = [];
    try {
      const measured = await interleave(
        settings.pairs,
        () => oursStart(model.ready.url, (s) => ready.push(s)),
        () => bareStart(model.ready.url, settings),
        (pair, i) => settings.tell(`pair ${i + 1}: ours ${short(pair.ours)}, bare ${short(pair.bare)}`),
      );
      const { note, ...summary } = summarize(measured);
      return { ...summary, note: `${note}; "Ready" after ${short(median(ready))}` };
    } finally {
      await model.stop();
    }
  },
};

async function oursStart(baseUrl: string, onReady: (seconds: number) => void): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  const port = await freePort('127.0.0.1');
  const config = join(folder, 'temporal.yaml');
  const agents = require.resolve('../agents');
  await writeFile(config, JSON.stringify({ agents, models: models(baseUrl) }));
  const seconds = stopwatch();
  const args = ['dev', '--config', config, '--port', String(port), '--ui-port', '0'];
  const child = fork(require.resolve('../../cli/main'), args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  endWithParent(child);
  try {
    await new Promise<void>((resolve, reject) => {
      eachLine(child.stdout, (line) => line.startsWith('Ready.') && resolve());
      child.once('exit', (code) => reject(new Error(`holdfast dev ended with ${code}`)));
    });
    onReady(seconds());
    return await firstRun(`127.0.0.1:${port}`, seconds, (client) => oursSide(new AgentClient(client), 'bench.loop'));
  } finally {
    await endChild(child, 10_000);
    await rm(folder, { recursive: true });
  }
}

/** The same server, then a bare worker, in the same order as `holdfast dev`. */
async function bareStart(url: string, { bundle }: Settings): Promise<number> {
  const seconds = stopwatch();
  const server = await startDevServer();
  try {
    const args = [server.address, url, bundle.codePath];
    const worker = await Child.start(require.resolve('../bare/worker-process'), { args });
    try {
      return await firstRun(server.address, seconds, bareSide);
    } finally {
      await worker.stop();
    }
  } finally {
    await server.stop();
  }
}

async function firstRun(address: string, seconds: () => number, sideOf: (client: Client) => Side): Promise<number> {
  const connection = await connect({ temporal: { address, namespace: 'default', taskQueue: '' } });
  try {
    await sideOf(new Client({ connection })).run(0);
    return seconds();
  } finally {
    await connection.close();
  }
}

function stopwatch(): () => number {
  const begin = performance.now();
  return () => (performance.now() - begin) / 1000;
}
