import type { Client } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import { isAgentName } from '../../../agent/define/agent-name';
import { HoldfastError } from '../../../agent/errors/error';
import { QUERY } from '../../../agent/protocol/queries';
import type { RunState } from '../../../agent/state/run-state';
import { defined } from '../../../agent/values/defined';
import { isJsonObject } from '../../../agent/values/json';
import { orHoldfastError } from '../../requests/client-error';
import { patientQuery } from '../../requests/patient-query';
import { serverLine } from '../../requests/server-line';
import { soon } from '../../requests/soon';
import { firstStartOf } from '../../runs/start/first-start';

/** What never changes about a run. */
export interface RunIdentity {
  agent: string;
  /** Who it belongs to. Missing: to no one. */
  owner?: string;
}

/**
 * Bytes of an id on Temporal's servers, which refuse longer ones in other words than unknown ones; so do their databases
 * with characters that no text has.
 */
const MAX_ID = 1000;

function isPossible(id: string): boolean {
  return Buffer.byteLength(id) <= MAX_ID && !/[\p{Cc}\p{Cs}]/u.test(id);
}

/** Runs that are remembered; each is about 200 bytes. */
const REMEMBERED = 20_000;

/**
 * Who runs belong to, as their own input says, which only their starter could write: search attributes can be changed
 * by others. It needs no worker, except where the server has deleted the beginning of a long run.
 */
export class RunIdentities {
  readonly #known = new LRUCache<string, RunIdentity>({ max: REMEMBERED });
  /** Being read: several readers of one run come at the same time. */
  readonly #coming = new Map<string, Promise<RunIdentity>>();

  constructor(
    private readonly client: Client,
    private readonly workerTimeout: number | undefined,
  ) {}

  /** @throws HoldfastError `RunNotFound`, also for a workflow that is not an agent's; `NoServer` */
  async of(id: string): Promise<RunIdentity> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    if (!isPossible(id)) throw new HoldfastError('RunNotFound', { id });
    return this.#coming.get(id) ?? this.#begin(id);
  }

  /** An id can be given again after its run was deleted. */
  forget(id: string): void {
    this.#known.delete(id);
    this.#coming.delete(id);
  }

  #begin(id: string): Promise<RunIdentity> {
    const coming = this.#read(id);
    this.#coming.set(id, coming);
    const end = (found?: RunIdentity) => {
      // It may have been forgotten in the meantime.
      if (this.#coming.get(id) !== coming) return;
      this.#coming.delete(id);
      if (found !== undefined) this.#known.set(id, found);
    };
    coming.then(end, () => end());
    return coming;
  }

  async #read(id: string): Promise<RunIdentity> {
    const { client, workerTimeout } = this;
    const read = () => soon(client, () => firstStartOf(client, id));
    // Where others are answered, a server that is only busy is worth as long a wait as a worker.
    const { agent, input } = await serverLine(client)
      .call(read, defined({ patience: workerTimeout }))
      .catch((error: unknown) => {
        throw orHoldfastError(error, id);
      });
    if (!isAgentName(agent)) throw new HoldfastError('RunNotFound', { id });
    if (!isJsonObject(input)) return { agent };
    const isCarriedOn = 'transcript' in input && 'runId' in input;
    if (!isCarriedOn) return identity(agent, input.owner);
    const { owner } = await patientQuery<RunState>(client, id, QUERY.state, { workerTimeout });
    return identity(agent, owner);
  }
}

function identity(agent: string, owner: unknown): RunIdentity {
  return typeof owner === 'string' ? { agent, owner } : { agent };
}
