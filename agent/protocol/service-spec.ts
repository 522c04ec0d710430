import type { BudgetSpec } from '../budget/budget';
import type { JsonObject } from '../values/json';

/** What a run pins for every service. */
interface ReachedSomehow {
  /** The contract and its version. */
  contract: {
    /** Identifies the contract. */
    uri: string;
    /** Its version. */
    version: string;
    /** Type of the event that it accepts. */
    accepts: string;
    /** JSON Schemas of the answers, by event type. */
    emits: { [type: string]: JsonObject };
    /** Type of the event that reports a failure. */
    systemError: string;
  };
  /** The contract requires the subject of the caller: `parentSubject$$` is put back into the arguments. */
  parentSubject?: true;
  /** Milliseconds that the run waits for an answer. Missing: forever. */
  timeout?: number;
  /** Where it is handled, unless the run was started in one of the other `domains`. */
  domain?: string;
  /** The other domains, each with its task queue or outlet. `null`: the same as in `domain`. */
  domains?: { [domain: string]: string | null };
  /** An agent: what its run may spend. Missing: an equal share of what the run has left. */
  budget?: BudgetSpec;
}

interface ReachedAsChild {
  /** The workflow's type, which is the name of an agent. */
  workflow: string;
  /** Task queue of its worker. Missing: the task queue of the run. */
  taskQueue?: string;
  /** What happens to it when the run ends first. */
  parentClosePolicy: 'cancel' | 'terminate' | 'abandon';
}

interface ReachedByEvent {
  /** Name of the outlet. */
  outlet: string;
  /** The receiver of the event. */
  to: string;
}

/**
 * A service as a run has pinned it: who fulfils the contract, and how it is reached: as a child workflow (with
 * `form: 'event'` it takes and returns whole events), as another agent, with an event that an outlet sends, or
 * (`signal`) with nothing sent.
 */
export type ServiceSpec = ReachedSomehow &
  (
    | ({ kind: 'child'; form?: 'event' } & ReachedAsChild)
    | ({ kind: 'agent' } & ReachedAsChild)
    | ({ kind: 'event' } & ReachedByEvent)
    | { kind: 'signal' }
  );
