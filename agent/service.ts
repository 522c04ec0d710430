import type { ApprovalPolicy } from './approval';
import { checkService } from './check-service';
import { type Contract, type ContractVersions, contractOfAgent } from './contract';
import type { Agent } from './define-agent';
import type { Duration } from './duration';
import { HoldfastError } from './error';

/** What every service may say of itself, however it is reached. */
export interface ServiceOptions {
  /** What the model reads. Default: the contract's. */
  description?: string;
  /** Of one answer's calls only those with the highest priority present run. Default 0. */
  priority?: number;
  /** How long the run waits for an answer. Default: for ever. */
  timeout?: Duration;
  /** Where it is handled: chooses the task queue, or the outlet, and stands in the event. */
  domain?: string;
  /** Whether calls wait for a person first. Default `never`. */
  approval?: ApprovalPolicy;
}

/** One name for all domains, or one for each. */
export type ByDomain = string | { readonly [domain: string]: string };

/** What {@link childWorkflow} takes. */
export interface ChildWorkflowOptions extends ServiceOptions {
  /** The workflow's type. */
  workflow: string;
  /** Where its worker polls. Default: the task queue of the agent. */
  taskQueue?: ByDomain;
  /** What becomes of it when the run ends first. Default `cancel`. */
  parentClosePolicy?: 'cancel' | 'terminate' | 'abandon';
  /** `data`: it takes and returns plain data. `event`: whole events. Default `data`. */
  form?: 'data' | 'event';
}

/** What {@link agentService} takes. */
export interface AgentServiceOptions extends ServiceOptions {
  /** Where the agent's worker polls. Default: the task queue of the calling agent. */
  taskQueue?: ByDomain;
  /** What becomes of its run when the caller ends first. Default `cancel`. */
  parentClosePolicy?: 'cancel' | 'terminate' | 'abandon';
}

/** What {@link eventService} takes. */
export interface EventServiceOptions extends ServiceOptions {
  /** Name of the outlet, in the worker's configuration, that sends the event. */
  outlet: ByDomain;
  /** Whom the event is for. Default: the type that the contract accepts. */
  to?: string;
}

/** A contract that somebody else fulfils, as an agent's `services` hold it. */
export type Service = Readonly<
  { contract: Contract; version: string } & (
    | ({ way: 'child' } & ChildWorkflowOptions)
    | ({ way: 'agent'; agent: string } & AgentServiceOptions)
    | ({ way: 'event' } & EventServiceOptions)
    | ({ way: 'signal' } & ServiceOptions)
  )
>;

type VersionOf<C> = C extends Contract<infer Versions> ? Extract<keyof Versions, string> : never;

/**
 * An ordinary Temporal workflow as a tool: it runs as a child of the run.
 * @throws HoldfastError `InvalidDefinition`
 */
export function childWorkflow<const C extends Contract<ContractVersions>>(
  contract: C,
  version: VersionOf<C>,
  options: ChildWorkflowOptions,
): Service {
  return checked({ ...options, way: 'child', contract, version }, 'childWorkflow');
}

/**
 * Another agent as a tool: it runs as a child of the run, knows who delegated to it, and its answer is the result.
 * @throws HoldfastError `InvalidDefinition`
 */
export function agentService(agent: Agent, options: AgentServiceOptions = {}): Service {
  const { name, definition } = (agent ?? {}) as Partial<Agent>;
  if (name === undefined || definition === undefined) {
    throw new HoldfastError('InvalidDefinition', {
      place: 'agentService',
      problem: 'Expected an agent made by `defineAgent`',
    });
  }
  if (definition.mode === 'conversation') {
    throw new HoldfastError('InvalidDefinition', {
      place: 'agentService',
      problem: `\`${name}\` is a conversation, which ends when somebody closes it: its caller would wait for that. Delegate to a task`,
    });
  }
  const contract = contractOfAgent(definition);
  return checked({ ...options, way: 'agent', agent: name, contract, version: '1.0.0' }, 'agentService');
}

/**
 * Whoever takes an event as a tool: an outlet sends it, and the run waits for the event that answers.
 * @throws HoldfastError `InvalidDefinition`
 */
export function eventService<const C extends Contract<ContractVersions>>(
  contract: C,
  version: VersionOf<C>,
  options: EventServiceOptions,
): Service {
  return checked({ ...options, way: 'event', contract, version }, 'eventService');
}

/**
 * Whoever looks for work as a tool: nothing is sent, the call is listed as awaited until somebody answers it.
 * @throws HoldfastError `InvalidDefinition`
 */
export function signalService<const C extends Contract<ContractVersions>>(
  contract: C,
  version: VersionOf<C>,
  options: ServiceOptions = {},
): Service {
  return checked({ ...options, way: 'signal', contract, version }, 'signalService');
}

function checked(service: Service, place: string): Service {
  checkService(service, place);
  return Object.freeze({ ...service });
}
