import type { AgentDefinition } from '../../../agent/define/agent-definition';
import type { Execution, ToolSpec } from '../../../agent/protocol/manifest';
import type { ServiceSpec } from '../../../agent/protocol/service-spec';
import { spoken, table } from '../table';

type Way<Name extends ServiceSpec['kind']> = Extract<ServiceSpec, { kind: Name }>;
type Reached = Pick<ServiceSpec, 'kind' | 'domain' | 'domains' | 'timeout'> &
  Partial<Pick<Way<'child'>, 'workflow' | 'taskQueue' | 'parentClosePolicy'> & Pick<Way<'event'>, 'outlet' | 'to'>>;

/** One service of an agent: its contract, and what fulfils it. */
export interface ServiceView extends Reached {
  name: string;
  /** What the model calls it. */
  modelName: string;
  /** Name and version, as `stock.check@1.0.0`. */
  contract: string;
  /** The event that it accepts. */
  accepts: string;
  priority: number;
  /** Whether its calls in one answer run one after the other. */
  execution: Execution;
  /** The fields that the agent's `policies` override. */
  fromPolicies: ('priority' | 'timeout' | 'execution')[];
}

/** The services among the tools of a manifest. */
export function serviceViews(
  tools: readonly ToolSpec[],
  { services = {}, policies = {}, execution = 'parallel' }: AgentDefinition,
): ServiceView[] {
  return tools.flatMap((tool) => {
    const { name, modelName, priority, serial } = tool;
    const service = Object.hasOwn(services, name) ? services[name] : undefined;
    if (tool.kind !== 'service' || service === undefined) return [];
    const { contract, parentSubject: _, ...spec } = tool.service;
    const { form: __, ...reached } = spec.kind === 'child' ? spec : { ...spec, form: undefined };
    const policy = Object.hasOwn(policies, name) ? policies[name] : undefined;
    return {
      name,
      modelName,
      contract: `${service.contract.name}@${contract.version}`,
      accepts: contract.accepts,
      priority,
      execution: serial === undefined ? execution : 'serial',
      ...reached,
      fromPolicies: (['priority', 'timeout', 'execution'] as const).filter((field) => policy?.[field] !== undefined),
    };
  });
}

const HEADER = ['service', 'contract', 'who answers', 'timeout', 'priority', 'not by default'];

/** Services as a table for people. */
export function serviceLines(services: readonly ServiceView[]): string[] {
  return table(HEADER, services.map(serviceRow));
}

function serviceRow(service: ServiceView): string[] {
  const { name, contract, timeout, priority, domain, domains = {}, fromPolicies } = service;
  const notes = fromPolicies.map((field) => `${field}: policies`);
  if (domain !== undefined) notes.push(`domain: ${[domain, ...Object.keys(domains)].join(', ')}`);
  const waits = timeout === undefined ? 'none' : spoken(timeout);
  return [name, contract, whoAnswers(service), waits, String(priority), notes.join(', ')];
}

function whoAnswers({ kind, workflow, taskQueue, outlet, to, accepts }: ServiceView): string {
  const queue = taskQueue === undefined ? '' : ` on ${taskQueue}`;
  switch (kind) {
    case 'child':
      return `workflow ${workflow}${queue}`;
    case 'agent':
      return `agent ${workflow}${queue}`;
    case 'event':
      return `outlet ${outlet}${to === undefined || to === accepts ? '' : `, to ${to}`}`;
    case 'signal':
      return 'any client or person';
  }
}
