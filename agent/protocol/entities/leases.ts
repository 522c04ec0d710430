import type { LedgerState } from '../../leases/ledger';
import type { ModelLimits } from '../../leases/model-limits';
import type { Held, Late, Recent, Settled, Want } from '../../leases/want';

/** Type, id and messages of the workflow that leases the calls of a model with limits to all workers. */
export const LEASES = {
  type: 'holdfast.leases',
  idOf: (alias: string) => `holdfast.leases/${alias}`,
  /** The update that settles calls and asks for others. It waits until one is granted, or for {@link LEASE_WAIT}. */
  lease: 'lease',
  /** The query that tells what is in use. */
  usage: 'usage',
} as const;

/**
 * Milliseconds that one update waits. Calls that begin to wait meanwhile are asked for with the next one, and a worker
 * that goes away keeps its place in line no longer.
 */
export const LEASE_WAIT = 2000;

/**
 * Questions that wait in line at the same time. A server allows ten updates in flight, those of ended calls included:
 * where all of them wait, no worker can say that its call has ended.
 */
export const MOST_WAITING = 6;

/** What a worker asks for. */
export interface LeaseRequest {
  /** Of the worker's configuration. */
  limits: ModelLimits;
  /**
   * Who asks. The smallest limits of all that have asked in the last minute hold, and one of them comes back later if
   * too many wait. Missing from workers of earlier versions: they wait, and their limits replace those of all others.
   */
  worker?: string;
  wants: Want[];
  settled: Settled[];
  /** They count from when they began. Missing from workers of earlier versions. */
  late?: Late[];
  /**
   * Calls that the worker makes, after a question that was not answered: the workflow may have been ended by a person, and
   * another one has begun that does not know of them.
   */
  held?: Held[];
  /** Told with {@link held}: what has ended in the last minute. */
  recent?: Recent[];
  /** The {@link LeaseGrant.ledger} that answered last. Missing: the worker has nothing to tell another one. */
  knows?: string;
  /** How many questions the worker had asked before. One that is overtaken by a later one does not tell what it holds now. */
  seq?: number;
  /** The worker takes {@link LeaseGrant.blocked}. Those of earlier versions wait in line. */
  takesBlock?: true;
}

/** What it gets. */
export interface LeaseGrant {
  /** Ids of the calls that it may make now. The others stay in line only if it asks again. */
  granted: string[];
  /** When the answer was given, in milliseconds since 1970. Missing if nothing is granted, and from earlier versions. */
  at?: number;
  /** Milliseconds that the question waited in line: the rest of the time, it and its answer were on their way. */
  waited?: number;
  /** Milliseconds for which the provider asked to wait, if no call can be made before the update would end. */
  blocked?: number;
  /** Milliseconds after which the worker is to ask again: {@link MOST_WAITING} more urgent questions wait. */
  again?: number;
  /** The limits that hold, if they are not those of the worker. */
  limits?: ModelLimits;
  /** Names what the workflow knows. Another name: it has begun without what was before. Missing from earlier versions. */
  ledger?: string;
  /** Nothing is granted: the worker is to ask again, and tell what it holds and has used. */
  tell?: true;
}

/** What is in use. */
export interface LeaseUsage extends LedgerState {
  limits: ModelLimits;
  /** Calls in line. */
  waiting: number;
}
