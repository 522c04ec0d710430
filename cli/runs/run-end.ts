import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import { orHoldfastError } from '../../client/requests/client-error';
import { progressOf } from '../../client/runs/sessions';
import type { CommandClient } from '../remote/run-client';

/**
 * How a run has ended, in a word such as `completed`. `undefined` while it goes on, and for a run at a served address whose
 * worker does not answer.
 * @throws HoldfastError `RunNotFound`, `NoServer`
 */
export function endOf(client: CommandClient, id: string): Promise<string | undefined> {
  const { temporal } = client;
  return temporal === undefined ? endInState(client, id) : endInTemporal(temporal, id);
}

/** It needs no worker. */
async function endInTemporal(temporal: Client, id: string): Promise<string | undefined> {
  try {
    const { status } = progressOf(await temporal.workflow.getHandle(id).describe()) ?? {};
    return status === 'running' || status === 'waiting' ? undefined : status;
  } catch (error) {
    throw orHoldfastError(error, id);
  }
}

async function endInState(client: CommandClient, id: string): Promise<string | undefined> {
  try {
    return (await client.get(id).state()).end?.reason;
  } catch (error) {
    if (error instanceof HoldfastError && error.type === 'NoWorker') return undefined;
    throw error;
  }
}
