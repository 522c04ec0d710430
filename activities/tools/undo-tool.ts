import { type ApplicationFailure, Context } from '@temporalio/activity';
import { check } from '../../agent/contracts/schema';
import type { AgentDefinition } from '../../agent/define/agent-definition';
import { attemptTime } from '../../agent/define/attempt-time';
import type { Ctx } from '../../agent/define/context';
import type { InverseCall } from '../../agent/define/tool-definition';
import { messageOf } from '../../agent/errors/error';
import type { ContentPart } from '../../agent/model/message';
import { LOST } from '../../agent/prompts/calls/failed-calls';
import { noWorkerHasTool } from '../../agent/prompts/calls/refused-calls';
import { UNDO_PROBLEM, undoOf } from '../../agent/prompts/calls/undo';
import type { ToolOutcome, UndoToolInput } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import type { Manifest, ToolSpec } from '../../agent/protocol/manifest';
import { isJsonObject, type Json } from '../../agent/values/json';
import { makeCtx } from '../ctx';
import { agentAtHand, toolMissing } from '../failures/missing';
import { withHeartbeat } from '../heartbeat';
import { unrun } from './earlier-attempt';
import { readResult } from './read-result';
import { outcomeOfSettled, outcomeUnknown, type ToolDeps, type WorkResult, workOf } from './run-tool';
import { type Settled, settle } from './settle';
import { logThrown } from './thrown';

/**
 * Reverses the effect of one call: by the `undo` of a custom tool, or by the call that the policy of an MCP tool
 * names. A failure becomes an outcome, as for tools.
 */
export function createUndoTool(deps: ToolDeps) {
  return (call: UndoToolInput): Promise<ToolOutcome> =>
    withHeartbeat(async (cancelled) => {
      const { attempt } = Context.current().info;
      const agent = agentAtHand(deps.registry, { begun: attempt > 1 });
      const { manifest, context } = await deps.pins.both(call.pin);
      const { name, turn, toolUseId, idempotencyKey } = call;
      const spec = manifest.tools.find((tool) => tool.name === name);
      if (spec === undefined) throw gone(name);
      const ctxOf = (signal: AbortSignal) =>
        makeCtx({ manifest, context, turn, log: deps.log, signal, toolUseId, idempotencyKey });
      const inverse =
        spec.kind === 'mcp'
          ? await namedCall({ deps, agent, manifest, spec }, call, (ask) =>
              settle((s) => ask(ctxOf(s)), { cancelled, timeout: spec.timeout }),
            )
          : ownInverse(deps, agent, spec, call);
      if ('content' in inverse) return inverse;
      const { work, runs } = inverse;
      // An inverse may have another effect than the call it reverses, and the server's retries follow that call.
      if (attempt > 1 && runs.effect === 'once') return outcomeUnknown(runs, LOST.attempt);
      const settled = await settle((signal) => work(ctxOf(signal)), { cancelled, timeout: attemptTime(runs) });
      const again = attempt < runs.attempts;
      return outcomeOfSettled(runs, settled, { again, maxChars: manifest.limits.maxResultChars });
    });
}

/** An inverse that can be run, and as which tool; `work` returns what tools return. */
interface Inverse {
  runs: ToolSpec;
  work(ctx: Ctx): Promise<WorkResult>;
}

function ownInverse(
  { watch, log }: ToolDeps,
  agent: AgentDefinition,
  spec: ToolSpec,
  { input, content }: UndoToolInput,
): Inverse | ToolOutcome {
  const tool = Object.hasOwn(agent.tools ?? {}, spec.name) ? agent.tools?.[spec.name] : undefined;
  if (tool?.undo === undefined) throw gone(spec.name);
  const runs = { ...spec, modelName: undoOf(spec.modelName) };
  return {
    runs,
    async work(ctx) {
      const checked = await check(tool.inputSchema, input);
      if (!checked.ok) return unrun('InvalidArguments', UNDO_PROBLEM.arguments(checked.problem));
      const watched = { run: ctx.id, tool: `undo of ${spec.name}`, toolUseId: ctx.toolUseId };
      const undo = () => tool.undo?.(checked.value as never, resultOf(content) as never, ctx);
      const told = { ...watched, signal: ctx.signal };
      return readResult(runs, await logThrown(log, told, () => watch.run(watched, undo)));
    },
  };
}

interface Surroundings {
  deps: ToolDeps;
  agent: AgentDefinition;
  manifest: Manifest;
  spec: ToolSpec;
}

async function namedCall(
  { deps, agent, manifest, spec }: Surroundings,
  { input, content }: UndoToolInput,
  within: (ask: (ctx: Ctx) => Promise<InverseCall>) => Promise<Settled<InverseCall>>,
): Promise<Inverse | ToolOutcome> {
  const policy = Object.hasOwn(agent.policies ?? {}, spec.name) ? agent.policies?.[spec.name] : undefined;
  if (policy?.undo === undefined) throw gone(spec.name);
  const asked = await within((ctx) => {
    const watched = { run: ctx.id, tool: `undo of ${spec.name}`, toolUseId: ctx.toolUseId };
    return deps.watch.run(watched, () => policy.undo?.(input, content, ctx) as InverseCall);
  });
  if (asked.type === 'timeout')
    return errorOutcome('ToolTimedOut', UNDO_PROBLEM.tooLate(spec.name, spec.timeout / 1000));
  if (asked.type === 'thrown') return errorOutcome('ToolFailed', UNDO_PROBLEM.threw(spec.name, messageOf(asked.error)));
  const named = asked.value;
  if (!isJsonObject(named) || typeof named.tool !== 'string' || !isJsonObject(named.input))
    return errorOutcome('ToolFailed', UNDO_PROBLEM.noCall(spec.name));
  const runs = manifest.tools.find(({ name }) => name === named.tool);
  if (runs === undefined) return errorOutcome('ToolMissing', UNDO_PROBLEM.unknownTool(spec.name, named.tool));
  if (runs.kind !== 'mcp' && runs.kind !== 'internal')
    return errorOutcome('ToolFailed', UNDO_PROBLEM.wrongTool(spec.name, named.tool));
  const work = workOf(deps, agent, runs, { manifest });
  if (work === undefined) throw missing(noWorkerHasTool(runs.modelName));
  return {
    runs,
    async work(its) {
      const given = await work(named.input, its);
      if (!('needs' in given) || given.needs === undefined) return given;
      return errorOutcome('ToolFailed', UNDO_PROBLEM.asks(named.tool));
    },
  };
}

/** What `run` returned, as far as JSON can tell: a text that is JSON was made from a value. */
function resultOf(content: readonly ContentPart[]): Json {
  const [only] = content;
  if (content.length !== 1 || only?.type !== 'text') return content as unknown as Json;
  try {
    return JSON.parse(only.text) as Json;
  } catch {
    return only.text;
  }
}

function gone(name: string): ApplicationFailure {
  return missing(UNDO_PROBLEM.noWorker(name));
}

/**
 * A previous attempt may have begun an inverse that must not run twice: then it is not scheduled again as a first
 * attempt.
 */
function missing(message: string): ApplicationFailure {
  return toolMissing(message, { begun: Context.current().info.attempt > 1 });
}
