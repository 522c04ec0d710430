import { Context } from '@temporalio/activity';
import type { AgentDefinition } from '../../agent/define/agent-definition';
import type { Log } from '../../agent/define/context';
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
import { agentAtHand, hasTool, toolMissing } from '../failures/missing';
import { interruptible } from '../heartbeat';
import type { LoopWatch } from '../loop-watch';
import type { Registry } from '../registry';
import type { PinStore } from '../run/pins';
import { coerceThirdParty } from '../schemas/third-party';
import { type OwnedCall, ownVerdict } from './own-schema';

interface CheckArgumentsDeps {
  registry: Registry;
  pins: PinStore;
  log: Log;
  watch: LoopWatch;
}

const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels`;

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
      const id = Context.current().info.workflowExecution?.workflowId ?? '';
      const own = await furtherVerdict(agent, { spec, input: coerced.value, id }, cancelled);
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

/** What the tool requires beyond its JSON Schema. */
function furtherVerdict(
  agent: AgentDefinition,
  call: OwnedCall,
  cancelled: AbortSignal,
): Promise<SchemaVerdict> | SchemaVerdict {
  const { spec, input } = call;
  if (spec.kind === 'loop' && spec.loop.does === 'plan') return verdictOfPlan(input);
  return ownVerdict(agent, call, cancelled);
}

/** Steps that wait for each other, for example, fit the schema. */
function verdictOfPlan({ steps }: JsonObject): SchemaVerdict {
  const plan = planOf(steps);
  return plan.type === 'plan' ? { ok: true } : { ok: false, problem: plan.problem };
}
