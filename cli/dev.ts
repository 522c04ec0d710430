import { defined } from '../agent/values/defined';
import { say } from '../runtime/print';
import { type DevTree, startDev } from '../workers/dev/dev';
import { devScreen } from './lines/dev-lines';

export interface DevCommandOptions {
  config?: string;
  db?: string;
  port?: number;
  uiPort?: number;
  serverOnly?: boolean;
}

/** `holdfast dev`: everything on one screen until Ctrl-C. */
export async function dev({ config, db, port, uiPort, serverOnly = false }: DevCommandOptions): Promise<number> {
  let tree: DevTree | undefined;
  const stop = () => {
    // At most the server is running yet, and it ends with this process.
    if (tree === undefined) process.exit(0);
    say('', 'Stopping …');
    void tree.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  const lines = devScreen({ config, db });
  tree = await startDev({
    ...defined({ configPath: config, dbFile: db, port, uiPort }),
    serverOnly,
    reload: true,
    onEvent(event) {
      say(...lines(event));
      if (event.type !== 'server.ready') return;
      if (serverOnly) say(event.started ? 'Ready. Ctrl-C ends it.' : 'Nothing to start.');
    },
  });
  await tree.done;
  return 0;
}
