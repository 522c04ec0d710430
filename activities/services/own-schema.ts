import type { ContractVersion } from '../../agent/contracts/contract';
import { check, type Schema } from '../../agent/contracts/schema';
import type { AgentDefinition } from '../../agent/define/agent-definition';
import { messageOf } from '../../agent/errors/error';
import type { SchemaVerdict } from '../../agent/protocol/activities';
import { PARENT_SUBJECT } from '../../agent/protocol/event';
import type { ToolOf, ToolSpec } from '../../agent/protocol/manifest';
import type { Json, JsonObject } from '../../agent/values/json';
import { settle } from '../tools/settle';

/** Milliseconds that a schema check may take; the schema may be user code. */
const TIME = 2000;

/** The call whose arguments are checked. */
export interface OwnedCall {
  spec: ToolSpec;
  input: JsonObject;
  /** The run, which a contract may name as the caller. */
  id: string;
}

/**
 * Whether arguments fit what the tool's own schema, or the contract of a service, requires beyond its JSON Schema, such as
 * refinements.
 */
export async function ownVerdict(
  agent: AgentDefinition,
  { spec, input, id }: OwnedCall,
  cancelled: AbortSignal,
): Promise<SchemaVerdict> {
  const { tools = {} } = agent;
  const { kind, name } = spec;
  if (kind === 'service') {
    const data = spec.service.parentSubject ? { ...input, [PARENT_SUBJECT]: id } : input;
    return verdictBy(contractOf(agent, spec)?.accepts, data, cancelled);
  }
  const tool = kind === 'internal' && Object.hasOwn(tools, name) ? tools[name] : undefined;
  return verdictBy(tool?.inputSchema, input, cancelled);
}

/** The same for the answer of a service. An agent has checked its own output, which its schema may have transformed. */
export function ownVerdictOnAnswer(
  agent: AgentDefinition,
  spec: ToolOf<'service'>,
  { type, data }: { type: string; data: Json },
  cancelled: AbortSignal,
): Promise<SchemaVerdict> {
  const { emits = {} } = (spec.service.kind === 'agent' ? undefined : contractOf(agent, spec)) ?? {};
  return verdictBy(Object.hasOwn(emits, type) ? emits[type] : undefined, data, cancelled);
}

/** The contract of a service; `undefined` where this worker knows it with another one than the run has pinned. */
function contractOf(
  { services = {} }: AgentDefinition,
  { name, service }: ToolOf<'service'>,
): ContractVersion | undefined {
  const own = Object.hasOwn(services, name) ? services[name] : undefined;
  const { accepts, version } = service.contract;
  return own?.version === version && own.contract.type === accepts ? own.contract.versions[version] : undefined;
}

/** Built-in tools, and those of MCP servers, have no schema of their own. */
async function verdictBy(schema: Schema | undefined, value: Json, cancelled: AbortSignal): Promise<SchemaVerdict> {
  if (schema === undefined) return { ok: true };
  const settled = await settle(() => check(schema, value), { cancelled, timeout: TIME, grace: 0 });
  if (settled.type === 'timeout') return { ok: false, problem: `the check took more than ${TIME} ms` };
  if (settled.type === 'thrown') return { ok: false, problem: `the check failed: ${messageOf(settled.error)}` };
  const checked = settled.value;
  return checked.ok ? { ok: true } : { ok: false, problem: checked.problem };
}
