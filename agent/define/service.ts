import { type Contract, type ContractVersions, contractOfAgent } from '../contracts/contract';
import { HoldfastError } from '../errors/error';
import type { Agent } from './agent-definition';
import { checkService } from './checks/service';
import type {
  AgentServiceOptions,
  ChildWorkflowOptions,
  EventServiceOptions,
  Service,
  ServiceOptions,
} from './service-definition';
import { newestVersion } from './versions';

type VersionOf<C> = C extends Contract<infer Versions> ? Extract<keyof Versions, string> : never;

/**
 * An ordinary Temporal workflow as a tool. It runs as a child of the run.
 * @throws HoldfastError `InvalidDefinition`
 */
export function childWorkflow<const C extends Contract<ContractVersions>>(
  contract: C,
  version: VersionOf<C>,
  options: ChildWorkflowOptions,
): Service {
  return checked({ ...options, kind: 'child', contract, version }, 'childWorkflow');
}

/**
 * Another agent as a tool. It runs as a child of the run, knows who delegated to it, and its answer is the result.
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
      problem: `\`${name}\` is a conversation, which ends only when it is closed: its caller would wait for that. Delegate to a task`,
    });
  }
  const contract = contractOfAgent(definition);
  const { version = newestVersion(definition), ...rest } = options;
  return checked({ ...rest, kind: 'agent', agent: name, contract, version }, 'agentService');
}

/**
 * The receiver of an event as a tool. An outlet sends the event, and the run waits for the event that answers it.
 * @throws HoldfastError `InvalidDefinition`
 */
export function eventService<const C extends Contract<ContractVersions>>(
  contract: C,
  version: VersionOf<C>,
  options: EventServiceOptions,
): Service {
  return checked({ ...options, kind: 'event', contract, version }, 'eventService');
}

/**
 * A consumer that looks for work as a tool. Nothing is sent; the call is listed as pending until it is answered.
 * @throws HoldfastError `InvalidDefinition`
 */
export function signalService<const C extends Contract<ContractVersions>>(
  contract: C,
  version: VersionOf<C>,
  options: ServiceOptions = {},
): Service {
  return checked({ ...options, kind: 'signal', contract, version }, 'signalService');
}

function checked(service: Service, place: string): Service {
  checkService(service, place);
  return Object.freeze({ ...service });
}
