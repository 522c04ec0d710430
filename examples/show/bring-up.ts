import { AgentClient } from 'holdfast/client';
import { type DevTree, startDev } from 'holdfast/worker';

/** A Temporal server, a worker and a client that belong together. */
export interface Stage {
  client: AgentClient;
  server: DevTree['server'];
  /** Ends all three. */
  close(): Promise<void>;
}

/**
 * Starts server and worker as `holdfast dev` does, and settles when the worker is ready. Ctrl-C ends them. With
 * `dbFile`, runs outlive the server.
 */
export async function bringUp(
  configPath: string,
  env: { [name: string]: string },
  options: { dbFile?: string } = {},
): Promise<Stage> {
  let ready = () => {};
  const worker = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const tree = await startDev({
    ...options,
    configPath,
    env: { HOLDFAST_LOG: 'error', ...process.env, ...env },
    onEvent: ({ type }) => type === 'worker.ready' && ready(),
  });
  process.once('SIGINT', () => void tree.stop().then(() => process.exit(130)));
  await Promise.race([worker, tree.done]);
  const { config, server } = tree;
  const temporal = { ...config.temporal, address: server.address };
  const client = await AgentClient.connect({ config: { ...config, temporal } });
  return {
    client,
    server,
    async close() {
      await client.close();
      await tree.stop();
    },
  };
}
