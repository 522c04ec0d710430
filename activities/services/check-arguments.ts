import { check, type Schema } from '../../agent/contracts/schema';
import type { AgentDefinition } from '../../agent/define/agent-definition';
import type { Log } from '../../agent/define/context';
import { messageOf } from '../../agent/errors/error';
import { noWorkerHasTool } from '../../agent/prompts/calls/refused-calls';
import type { CheckArgumentsInput, CheckArgumentsResult, SchemaVerdict } from '../../agent/protocol/activities';
import type { ToolSpec } from '../../agent/protocol/manifest';
import { planOf } from '../../agent/strategy/check-plan';
import type { JsonObject } from '../../agent/values/json';
import { isNestedDeeper, MAX_DEPTH } from '../../agent/values/json-depth';
import { hashOfArguments } from '../../runtime/sha256';
import { RulesClock } from '../approvals/rules-clock';
import { grantKeyOf, type RuledCall } from '../approvals/rules-of-call';
import { coerceArguments } from '../coercion/coerce-arguments';
import { interruptible } from '../heartbeat';
import type { LoopWatch } from '../loop-watch';
import { agentAtHand, hasTool, toolMissing } from '../missing';
import type { Registry } from '../registry';
import type { PinStore } from '../run/pins';
import { coerceThirdParty } from '../schemas/third-party';
import { settle } from '../tools/settle';

interface CheckArgumentsDeps {
  registry: Registry;
  pins: PinStore;
  log: Log;
  watch: LoopWatch;
}

const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels`;

/** Milliseconds that a schema check may take; the schema may be user code. */
const TIME = 2000;

/**
 * `holdfast.checkArguments`: whether arguments that a person wrote fit a tool, by the pinned schema and by the tool's
 * own, and the hash and key on which idempotency key and remembered decisions depend.
 */
export function createCheckArguments({ registry, pins, log, watch }: CheckArgumentsDeps) {
  return ({ pin, toolUseId, name, input }: CheckArgumentsInput): Promise<CheckArgumentsResult> =>
    interruptible(async (cancelled) => {
      const manifest = await pins.manifest(pin.manifest);
      const spec = manifest.tools.find((tool) => tool.name === name);
      if (spec === undefined) return { ok: false, problem: `the run has no tool \`${name}\`` };
      const coerced = await (spec.kind === 'mcp' ? coerceThirdParty : coerceArguments)(spec.inputSchema, input);
      if (!coerced.ok) return { ok: false, problem: coerced.problem };
      if (isNestedDeeper(coerced.value)) return { ok: false, problem: TOO_DEEP };
      if (coerced.note !== undefined) log.warn({ of: name, problem: coerced.note }, 'A schema cannot be used.');
      const agent = agentAtHand(registry);
      if (!hasTool(agent, spec)) throw toolMissing(noWorkerHasTool(name));
      const own = await ownVerdict(agent, spec, coerced.value, cancelled);
      if (!own.ok) return own;
      const hash = hashOfArguments(coerced.value);
      const key = await keyOf(spec, { toolUseId, name, input: coerced.value, hash });
      return { ok: true, hash, key, ...(coerced.value === input ? {} : { input: coerced.value }) };

      async function keyOf({ approval }: ToolSpec, call: RuledCall): Promise<string> {
        if (approval?.asks !== true) return '';
        const clock = new RulesClock(cancelled);
        return grantKeyOf(call, { agent, clock, log, watch }).finally(() => clock.stop());
      }
    });
}

/** What the tool's own schema requires beyond its JSON Schema: refinements, transformations. */
function ownVerdict(
  { tools = {} }: AgentDefinition,
  spec: ToolSpec,
  input: JsonObject,
  cancelled: AbortSignal,
): Promise<SchemaVerdict> | SchemaVerdict {
  if (spec.kind === 'loop' && spec.loop.does === 'plan') return verdictOfPlan(input);
  const { kind, name } = spec;
  const tool = kind === 'internal' && Object.hasOwn(tools, name) ? tools[name] : undefined;
  // Built-in tools have no user schema.
  return tool === undefined ? { ok: true } : verdictBy(tool.inputSchema, input, cancelled);
}

/** Steps that wait for each other, for example, fit the schema. */
function verdictOfPlan({ steps }: JsonObject): SchemaVerdict {
  const plan = planOf(steps);
  return plan.type === 'plan' ? { ok: true } : { ok: false, problem: plan.problem };
}

async function verdictBy(schema: Schema, input: JsonObject, cancelled: AbortSignal): Promise<SchemaVerdict> {
  const settled = await settle(() => check(schema, input), { cancelled, timeout: TIME, grace: 0 });
  if (settled.type === 'timeout') return { ok: false, problem: `the check took more than ${TIME} ms` };
  if (settled.type === 'thrown') return { ok: false, problem: `the check failed: ${messageOf(settled.error)}` };
  const { value } = settled;
  return value.ok ? { ok: true } : { ok: false, problem: value.problem };
}
