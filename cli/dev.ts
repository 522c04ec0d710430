import { defined } from '../agent/values/defined';
import { say } from '../runtime/print';
import { type DevEvent, type DevTree, startDev } from '../workers/dev/dev';
import { workerEnvironment } from '../workers/dev/worker-child';
import { type GatewayChild, type GatewayEvent, startGatewayChild } from './gateway-child';
import { devScreen, gatewayLines } from './lines/dev-lines';

export interface DevCommandOptions {
  config?: string;
  db?: string;
  port?: number;
  uiPort?: number;
  serverOnly?: boolean;
  web?: boolean;
}

/** `holdfast dev`: everything on one screen until Ctrl-C. */
export async function dev({
  config,
  db,
  port,
  uiPort,
  serverOnly = false,
  web = false,
}: DevCommandOptions): Promise<number> {
  let tree: DevTree | undefined;
  let gateway: Promise<GatewayChild> | undefined;
  const stop = () => {
    // At most the server is running yet, and it ends with this process.
    if (tree === undefined) process.exit(0);
    say('', 'Stopping …');
    void gateway?.then((child) => child.stop());
    void tree.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  const lines = devScreen({ config, db, web });
  let opened: Extract<DevEvent, { type: 'server.ready' }> | undefined;
  const startGateway = () => {
    if (opened === undefined) throw new Error('A worker was ready before its server');
    const env = { ...workerEnvironment(process.env, opened), HOLDFAST_WEB_UI: opened.server.uiUrl };
    const onEvent = (event: GatewayEvent) => say(...gatewayLines(event));
    return startGatewayChild({ config: opened.config, configPath: config, env, onEvent });
  };
  tree = await startDev({
    ...defined({ configPath: config, dbFile: db, port, uiPort }),
    serverOnly,
    reload: true,
    onEvent(event) {
      say(...lines(event));
      if (event.type === 'worker.ready' && web) {
        // An agent may be new.
        if (gateway === undefined) gateway = startGateway();
        else void gateway.then((child) => child.reload());
      }
      if (event.type !== 'server.ready') return;
      opened = event;
      if (serverOnly) say(event.started ? 'Ready. Ctrl-C ends it.' : 'Nothing to start.');
    },
  });
  await tree.done;
  await (await gateway)?.stop();
  return 0;
}
