import { defined } from '../agent/values/defined';
import { say } from '../runtime/print';
import { type DevEvent, type DevTree, startDev } from '../workers/dev/dev';
import { logLine } from './lines/log-line';

export interface DevCommandOptions {
  config?: string;
  db?: string;
  port?: number;
  uiPort?: number;
}

/** `holdfast dev`: everything on one screen until Ctrl-C. */
export async function dev({ config, db, port, uiPort }: DevCommandOptions): Promise<number> {
  let tree: DevTree | undefined;
  const stop = () => {
    // At most the server is running yet, and it ends with this process.
    if (tree === undefined) process.exit(0);
    say('', 'Stopping …');
    void tree.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  tree = await startDev({
    ...defined({ configPath: config, dbFile: db, port, uiPort }),
    onEvent(event) {
      say(...devLines(event));
    },
  });
  await tree.done;
  return 0;
}

/** The lines that the screen shows for an event. */
export function devLines(event: DevEvent): string[] {
  switch (event.type) {
    case 'server.ready': {
      const { address, namespace, uiUrl } = event.server;
      return [
        ...event.moved.map(({ what, from, to }) => `!           Port ${from} is taken: ${what} listens on ${to}`),
        `Web UI      ${uiUrl}`,
        `Temporal    ${address}`,
        `Namespace   ${namespace}`,
        ...(event.moved.some(({ what }) => what === 'Temporal')
          ? [`!           Other commands find it with TEMPORAL_ADDRESS=${address}`]
          : []),
      ];
    }
    case 'worker.ready':
      return [
        `Task queue  ${event.taskQueue}`,
        `Worker      pid ${event.pid}`,
        `Agents      ${event.agents.join(', ')}`,
        'Ready. Ctrl-C ends all.',
      ];
    case 'worker.exit':
      return [`worker      pid ${event.pid ?? '?'} ended (${event.signal ?? `exit code ${event.code}`})`];
    case 'worker.restart':
      return [`worker      starts again in ${event.delay / 1000} s`];
    case 'worker.log':
      return [`worker      ${logLine(event.line)}`];
    case 'server.log':
      return [`temporal    ${logLine(event.line)}`];
  }
}
