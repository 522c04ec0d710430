import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { defined } from '../agent/values/defined';
import type { Config } from '../runtime/config/config';
import { gatewayOf } from '../runtime/config/gateway';
import { eachLine, endWithParent } from '../runtime/process/child-process';
import { freePort, isFree } from '../runtime/process/ports';
import { supervise } from '../runtime/process/supervise';

/** What the HTTP server of `holdfast dev` tells. */
export type GatewayEvent =
  | { type: 'gateway.ready'; url: string; token: string }
  | { type: 'gateway.log'; line: string }
  | { type: 'gateway.exit'; code: number | null; signal: NodeJS.Signals | null };

/** What its process tells this one. */
export interface GatewayMessage {
  type: 'gateway.ready';
  url: string;
}

/** The address that lets the person at this machine in. */
export function doorOf(url: string, token: string): string {
  return `${url}/#token=${token}`;
}

/** One that stays the same over restarts, from the environment, or a new one. */
export function tokenOf({ HOLDFAST_TOKEN: given }: { HOLDFAST_TOKEN?: string | undefined }): string {
  return given || randomBytes(24).toString('base64url');
}

export interface GatewayChild {
  /** Starts again with the code of now; its readers go on by themselves. */
  reload(): void;
  stop(): Promise<void>;
}

/** Keeps `holdfast serve` running beside a dev server, in a process of its own: it loads the user's modules. */
export async function startGatewayChild({
  config: { gateway = gatewayOf() },
  configPath,
  env,
  onEvent,
}: {
  config: Config;
  configPath: string | undefined;
  /** With the address of the Temporal server. */
  env: NodeJS.ProcessEnv;
  onEvent(event: GatewayEvent): void;
}): Promise<GatewayChild> {
  const { host } = gateway;
  const port = gateway.port !== 0 && (await isFree(gateway.port, host)) ? gateway.port : await freePort(host);
  // The same over restarts, so that an open page goes on.
  const token = tokenOf(env);
  let child: ChildProcess | undefined;
  let told = false;
  const server = supervise({
    start(ready) {
      child = forkServe(['--port', String(port)], configPath, { ...env, HOLDFAST_TOKEN: token });
      if (child.stderr) eachLine(child.stderr, (line) => onEvent({ type: 'gateway.log', line }));
      child.on('message', ({ url }: GatewayMessage) => {
        ready();
        if (!told) onEvent({ type: 'gateway.ready', url, token });
        told = true;
      });
      return child;
    },
    onEvent(event) {
      if (event.type === 'exit' && event.code !== 0) onEvent({ ...event, type: 'gateway.exit' });
    },
  });
  server.done.catch(() => undefined);
  return { reload: () => void child?.kill('SIGTERM'), stop: () => server.stop() };
}

function forkServe(options: readonly string[], configPath: string | undefined, env: NodeJS.ProcessEnv): ChildProcess {
  const module = require.resolve('./main');
  const args = ['serve', ...options, ...(configPath === undefined ? [] : ['--config', configPath])];
  // From the sources, as in this repository's own tests, Node cannot run it by itself.
  const jiti = join(dirname(require.resolve('jiti/package.json')), 'lib', 'jiti-cli.mjs');
  const [program, rest] = module.endsWith('.ts') ? [jiti, [module, ...args]] : [module, args];
  const child = fork(program, rest, { env: defined(env), stdio: ['ignore', 'ignore', 'pipe', 'ipc'], detached: true });
  endWithParent(child);
  return child;
}
