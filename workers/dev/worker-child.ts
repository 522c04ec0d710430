import { type ChildProcess, fork } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Environment } from '../../runtime/binaries/download';
import { endWithParent } from '../../runtime/process/child-process';
import type { OpenedServer } from './open-server';

export interface WorkerChildOptions {
  env: NodeJS.ProcessEnv;
  cwd: string;
  configPath: string | undefined;
  /** The process id of the worker that it takes over from. */
  replaces: number | undefined;
  /** Another module in place of worker-process, for tests. */
  workerModule: string | undefined;
  /** It loads its code, and goes on when {@link begin} tells it its environment. */
  waits?: boolean;
}

/** Starts a worker process. It ends with this process. */
export function forkWorker({
  env,
  cwd,
  configPath,
  replaces,
  workerModule,
  waits = false,
}: WorkerChildOptions): ChildProcess {
  const module = workerModule ?? require.resolve('../worker-process');
  const args = [
    '--beats',
    ...(configPath === undefined ? [] : ['--config', configPath]),
    ...(replaces === undefined ? [] : ['--replaces', String(replaces)]),
    ...(waits ? ['--waits'] : []),
  ];
  // From the sources, as in this repository's own tests, Node cannot run it by itself.
  const jiti = join(dirname(require.resolve('jiti/package.json')), 'lib', 'jiti-cli.mjs');
  const [program, rest] = module.endsWith('.ts') ? [jiti, [module, ...args]] : [module, args];
  // A separate process group: Ctrl-C in the terminal reaches us, and we ask the worker to end in order.
  const child = fork(program, rest, { env, cwd, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true });
  endWithParent(child);
  return child;
}

/** Lets a worker that waits go on. One that has ended meanwhile tells why by its end. */
export function begin(child: ChildProcess, env: NodeJS.ProcessEnv): ChildProcess {
  if (child.connected) child.send(env, () => undefined);
  return child;
}

/**
 * The environment of a worker for a server. One that we started is ours, whatever the file or a profile says about
 * TLS and keys of another. The address is fixed: a change of temporal.yaml does not move a worker to another server.
 */
export function workerEnvironment(
  env: Environment,
  { started, server }: { started: boolean; server: OpenedServer['server'] },
): NodeJS.ProcessEnv {
  const place = { TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: server.namespace };
  if (!started) return { ...env, ...place };
  const own = Object.entries(env).filter(([name]) => !/^TEMPORAL_(TLS|PROFILE|CONFIG|API_KEY|GRPC_META)/.test(name));
  return { ...Object.fromEntries(own), ...place, TEMPORAL_TLS: 'false' };
}
