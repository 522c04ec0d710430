import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import type { RemoteClient } from '../../client/remote/remote-client';
import { queueOf } from '../../client/requests/no-worker';
import { soon } from '../../client/requests/soon';
import { diagnose } from '../../client/silence/diagnose';
import { silenceOf } from '../../client/silence/silent-worker';
import { type CommandClient, remoteOf } from './run-client';

/** Why nothing happens in a run, as far as the client of a command can tell. */
export async function problemOf(client: CommandClient, id: string): Promise<string | undefined> {
  return await asked(client, id, diagnose);
}

/** Why no worker answers for a run. */
export async function workerProblemOf(client: CommandClient, id: string): Promise<string | undefined> {
  return await asked(client, id, silenceOf);
}

async function asked(client: CommandClient, id: string, ask: typeof silenceOf): Promise<string | undefined> {
  const remote = remoteOf(client);
  if (remote !== undefined) return problemAt(remote, id);
  const { temporal } = client;
  return temporal === undefined ? undefined : ask(temporal, id, await queueAt(temporal, id));
}

async function queueAt(temporal: Client, id: string): Promise<{ namespace: string; taskQueue: string }> {
  return { namespace: temporal.options.namespace, taskQueue: await soon(temporal, () => queueOf(temporal, id)) };
}

/**
 * Why nothing happens in a run at a served address, or what is away behind it.
 * @throws HoldfastError `NoServer` if it does not answer itself
 */
export async function problemAt(remote: RemoteClient, id?: string): Promise<string | undefined> {
  const { temporal, worker, taskQueue } = await remote.info({ patience: 0 });
  if (!temporal.reachable) return `${remote.url} answers, but reaches no Temporal server.`;
  if (!worker.polling) return new HoldfastError('NoWorker', { taskQueue }).message;
  return id === undefined ? undefined : remote.get(id).problem();
}
