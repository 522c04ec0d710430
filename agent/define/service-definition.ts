import type { ApprovalPolicy } from '../approvals/approval';
import type { Budget } from '../budget/budget';
import type { Contract } from '../contracts/contract';
import type { Duration } from '../values/duration';

/** Options of every service, however it is reached. */
export interface ServiceOptions {
  /** The description for the model. Default: that of the contract. */
  description?: string;
  /** Of one answer's calls only those with the highest priority present run. Default 0. */
  priority?: number;
  /** How long the run waits for an answer. Default: forever. */
  timeout?: Duration;
  /**
   * Where it is handled. Selects the task queue or the outlet, and is part of the event. Of several, each call goes to
   * one: to the domain of the event that started the run, or else to the first.
   */
  domain?: string | readonly string[];
  /** Whether calls wait for a person first. Default `never`. */
  approval?: ApprovalPolicy;
}

/** One name for all domains, or one for each. */
export type ByDomain = string | { readonly [domain: string]: string };

/** The domains of a service, the one that it prefers first. */
export function domainsOf({ domain = [] }: Pick<ServiceOptions, 'domain'>): readonly string[] {
  return typeof domain === 'string' ? [domain] : domain;
}

/** What {@link childWorkflow} takes. */
export interface ChildWorkflowOptions extends ServiceOptions {
  /** The workflow's type. */
  workflow: string;
  /** Task queue of its worker. The agent's own workers run only agents. */
  taskQueue: ByDomain;
  /** What happens to it when the run ends first. Default `cancel`. */
  parentClosePolicy?: 'cancel' | 'terminate' | 'abandon';
  /** `data`: it takes and returns plain data. `event`: whole events. Default `data`. */
  form?: 'data' | 'event';
}

/** What {@link agentService} takes. */
export interface AgentServiceOptions extends ServiceOptions {
  /** The version of the agent's contract. Default: the newest. */
  version?: string;
  /** Task queue of the agent's worker. Default: the task queue of the calling agent. */
  taskQueue?: ByDomain;
  /** What happens to its run when the caller ends first. Default `cancel`. */
  parentClosePolicy?: 'cancel' | 'terminate' | 'abandon';
  /**
   * What one of its runs may spend: at most what the caller has left. Default: an equal share of that, among the agents
   * that one answer calls.
   */
  budget?: Omit<Budget, 'perExchange'>;
}

/** What {@link eventService} takes. */
export interface EventServiceOptions extends ServiceOptions {
  /** Name of the outlet, in the worker's configuration, that sends the event. */
  outlet: ByDomain;
  /** The receiver of the event. Default: the type that the contract accepts. */
  to?: string;
}

/** A contract that another system fulfils, as in an agent's `services`. */
export type Service = Readonly<
  { contract: Contract; version: string } & (
    | ({ kind: 'child' } & ChildWorkflowOptions)
    | ({ kind: 'agent'; agent: string } & Omit<AgentServiceOptions, 'version'>)
    | ({ kind: 'event' } & EventServiceOptions)
    | ({ kind: 'signal' } & ServiceOptions)
  )
>;
