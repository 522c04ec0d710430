import type { LedgerState, Settled, Want } from '../../leases/ledger';
import type { ModelLimits } from '../../leases/model-limits';

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

/** What a worker asks for. */
export interface LeaseRequest {
  /** Of the worker's configuration; the newest hold. */
  limits: ModelLimits;
  wants: Want[];
  settled: Settled[];
  /** The worker takes {@link LeaseGrant.blocked}. Those of earlier versions wait in line. */
  takesBlock?: true;
}

/** What it gets. */
export interface LeaseGrant {
  /** Ids of the calls that it may make now. The others stay in line only if it asks again. */
  granted: string[];
  /** Milliseconds for which the provider asked to wait, if no call can be made before the update would end. */
  blocked?: number;
}

/** What is in use. */
export interface LeaseUsage extends LedgerState {
  limits: ModelLimits;
  /** Calls in line. */
  waiting: number;
}
