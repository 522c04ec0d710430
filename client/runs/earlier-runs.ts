import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import { type ChainLink, QUERY } from '../../agent/protocol/queries';
import { defined } from '../../agent/values/defined';
import { patientQuery } from '../requests/patient-query';

/** A run, and how long to wait for a worker that answers about it. */
export interface Place {
  id: string;
  workerTimeout: number | undefined;
}

/** The Temporal runs before the newest one of a chain, the oldest first, as far as the newest one names them. */
export function earlierRuns(client: Client, { id, workerTimeout }: Place): Promise<ChainLink[]> {
  return patientQuery<ChainLink[]>(client, id, QUERY.chain, defined({ workerTimeout }));
}

/** `NoWorker`: it was pinned to a build of which no worker is left, since one has answered about the newest run. */
const UNREADABLE: ReadonlySet<string> = new Set(['RunNotFound', 'ServerRefused', 'NoWorker']);

/**
 * Whether an earlier run can no longer be read: the server has deleted it after the retention period, its history does
 * not replay on the workers of today, or no worker of its build is left.
 */
export function isUnreadable(error: unknown): boolean {
  return error instanceof HoldfastError && UNREADABLE.has(error.type);
}
