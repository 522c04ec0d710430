import { budgetSpec } from '../../agent/budget/budget';
import { toJsonSchema } from '../../agent/contracts/schema';
import { type ByDomain, domainsOf, type Service } from '../../agent/define/service-definition';
import { serviceDescription } from '../../agent/prompts/calls/services';
import { PARENT_SUBJECT } from '../../agent/protocol/event';
import type { JsonSchema, UnnamedTool } from '../../agent/protocol/manifest';
import type { ServiceSpec } from '../../agent/protocol/service-spec';
import { defined } from '../../agent/values/defined';
import { milliseconds } from '../../agent/values/duration';
import { isJsonObject } from '../../agent/values/json';
import { approvalSpec } from './approval-spec';
import { DEFAULT_POLICY } from './default-policy';

/** A question to a person comes before the calls that it is about. */
const PRIORITY: { readonly [contract: string]: number } = { 'tool.approval': 1, 'human.review': 2 };

/** A service as a tool of the manifest. */
export function serviceTool(name: string, service: Service): UnnamedTool {
  const { contract } = service;
  const accepts = toJsonSchema(versionOf(service).accepts);
  const approval = approvalSpec(service.approval);
  return {
    name,
    kind: 'service',
    description: service.description ?? contract.description ?? serviceDescription(contract.name),
    inputSchema: withoutParentSubject(accepts),
    ...DEFAULT_POLICY,
    priority: service.priority ?? priorityOf(contract.name),
    service: serviceSpec(service, asksForParent(accepts)),
    ...defined({ approval }),
  };
}

function priorityOf(contract: string): number {
  return (Object.hasOwn(PRIORITY, contract) ? PRIORITY[contract] : undefined) ?? DEFAULT_POLICY.priority;
}

function serviceSpec(service: Service, parentSubject: boolean): ServiceSpec {
  const { contract, version } = service;
  const [domain] = domainsOf(service);
  const timeout = milliseconds(service.timeout);
  const emits = Object.entries(versionOf(service).emits).map(([type, schema]) => [type, toJsonSchema(schema)] as const);
  return {
    contract: {
      uri: contract.uri,
      version,
      accepts: contract.type,
      emits: Object.fromEntries(emits),
      systemError: contract.systemError,
    },
    ...(parentSubject ? { parentSubject: true } : {}),
    ...defined({ timeout, domain, domains: otherDomains(service) }),
    ...where(service),
  };
}

/** How it is reached. */
function where(service: Service) {
  if (service.kind === 'signal') return { kind: service.kind };
  const [domain] = domainsOf(service);
  if (service.kind === 'event') {
    const { outlet, to, contract } = service;
    return { kind: service.kind, outlet: inDomain(outlet, domain), to: to ?? contract.type };
  }
  const { taskQueue, parentClosePolicy = 'cancel' } = service;
  const child = { ...(taskQueue === undefined ? {} : { taskQueue: inDomain(taskQueue, domain) }), parentClosePolicy };
  if (service.kind === 'agent') {
    const budget = service.budget && budgetSpec(service.budget);
    return { kind: service.kind, workflow: service.agent, ...child, ...defined({ budget }) };
  }
  return { kind: service.kind, workflow: service.workflow, ...child, ...defined({ form: eventForm(service) }) };
}

function eventForm({ form }: { form?: 'data' | 'event' }): 'event' | undefined {
  return form === 'event' ? form : undefined;
}

/** The domains that a call can go to beside the first. */
function otherDomains(service: Service): ServiceSpec['domains'] {
  const [, ...others] = domainsOf(service);
  if (others.length === 0) return undefined;
  const place = service.kind === 'signal' ? undefined : service.kind === 'event' ? service.outlet : service.taskQueue;
  const there = (domain: string) => (place === undefined || typeof place === 'string' ? null : inDomain(place, domain));
  return Object.fromEntries(others.map((domain) => [domain, there(domain)]));
}

/** `checkService` has made sure that a record has the domain. */
function inDomain(given: ByDomain, domain = ''): string {
  return typeof given === 'string' ? given : (given[domain] ?? '');
}

function versionOf({ contract, version }: Service) {
  const found = contract.versions[version];
  if (found === undefined) throw new Error(`The contract ${contract.name} has lost its version ${version}`);
  return found;
}

/** Whether a schema has the field for the caller's subject. */
export function asksForParent({ properties }: JsonSchema): boolean {
  return isJsonObject(properties) && Object.hasOwn(properties, PARENT_SUBJECT);
}

/** The schema that the model sees: the run knows who asks, and a model would invent the value. */
export function withoutParentSubject(schema: JsonSchema): JsonSchema {
  const { properties, required } = schema;
  if (!isJsonObject(properties) || !Object.hasOwn(properties, PARENT_SUBJECT)) return schema;
  const { [PARENT_SUBJECT]: _, ...others } = properties;
  return {
    ...schema,
    properties: others,
    ...(Array.isArray(required) ? { required: required.filter((name) => name !== PARENT_SUBJECT) } : {}),
  };
}
