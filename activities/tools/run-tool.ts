import { Context } from '@temporalio/activity';
import { check } from '../../agent/contracts/schema';
import type { AgentDefinition } from '../../agent/define/agent-definition';
import { attemptTime } from '../../agent/define/attempt-time';
import type { Ctx, Log } from '../../agent/define/context';
import type { McpServer } from '../../agent/define/mcp-server';
import { outcomeOf } from '../../agent/model/cut-tool-result';
import type { ContentPart } from '../../agent/model/message';
import {
  blockedWorker,
  LOST,
  noResultAsItBlocked,
  noResultInTime,
  resultDoesNotFit,
  outcomeUnknown as unknownText,
} from '../../agent/prompts/calls/failed-calls';
import { argumentsDoNotFit, noWorkerHasAgent, noWorkerHasTool } from '../../agent/prompts/calls/refused-calls';
import type { RunToolInput, ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import type { Manifest, ToolOf, ToolSpec } from '../../agent/protocol/manifest';
import type { ToolProgress } from '../../agent/protocol/stream';
import { SEARCH_TOOLS } from '../../agent/tool-filter/tool-filter';
import type { JsonObject } from '../../agent/values/json';
import type { Tracing } from '../../runtime/telemetry/make-spans';
import { makeCtx } from '../ctx';
import { agentMissing, hasTool, toolMissing } from '../failures/missing';
import { withHeartbeat } from '../heartbeat';
import type { LoopWatch } from '../loop-watch';
import type { McpCallContext, McpCallResult } from '../mcp';
import type { DeltaSinks } from '../publish-delta';
import type { Registry } from '../registry';
import type { PinStore } from '../run/pins';
import type { Rankers } from '../tool-filter/rankers';
import { searchTools } from '../tool-filter/search-tools';
import { builtInWork } from './built-in-work';
import { missingOutcome, type Unrun, unrun, unrunOutcome } from './earlier-attempt';
import { isGivenUp, type LateOutcomes, secondsOf } from './late-outcomes';
import { readResult } from './read-result';
import { progressReporter } from './report-progress';
import { type Settled, settle } from './settle';
import { logThrown, thrownOutcome } from './thrown';
import { traceTool } from './trace-tool';

export interface ToolDeps extends DeltaSinks {
  registry: Registry;
  pins: PinStore;
  log: Log;
  tracing?: Tracing | undefined;
  watch: LoopWatch;
  late: LateOutcomes;
  serverOf(agent: AgentDefinition, server: string): McpServer;
  /** Rank the tools of agents with a tool filter. */
  rankers: Rankers;
  callMcp(definition: McpServer, tool: ToolOf<'mcp'>, input: JsonObject, call: McpCallContext): Promise<McpCallResult>;
}

/**
 * The activity behind every tool: it runs under the tool's own name. A failure becomes a result for the model, never a
 * failed activity, except for a lost worker and a cancel.
 */
export function createRunTool(deps: ToolDeps) {
  return (call: RunToolInput): Promise<ToolOutcome> =>
    withHeartbeat(async (cancelled) => {
      const { activityType, workflowType, attempt } = Context.current().info;
      const pinned = await deps.pins.both(call.pin);
      const { manifest } = pinned;
      const spec = manifest.tools.find((tool) => tool.name === activityType);
      const agent = deps.registry.find(workflowType ?? '');
      if (agent === undefined) return missingOutcome(spec, agentMissing(deps.registry), noWorkerHasAgent());
      const held = { ms: 0 };
      const blocked = (ms: number) => {
        held.ms = Math.max(held.ms, ms);
        if (spec !== undefined && isGivenUp(ms)) deps.late.keep(blockedOutcome(spec, ms));
      };
      const work = spec === undefined ? undefined : workOf(deps, agent, spec, { ...call, manifest, blocked });
      if (spec === undefined || work === undefined) {
        const why = noWorkerHasTool(activityType);
        return missingOutcome(spec, toolMissing(why), why);
      }
      const before = deps.late.find();
      if (before !== undefined) return before;
      return traceTool(deps.tracing, { ...pinned, call, spec }, async (context) => {
        const { toolUseId, idempotencyKey, turn } = call;
        const again = attempt < spec.attempts;
        try {
          const settled = await settle(
            (signal) =>
              work(call.input, makeCtx({ manifest, context, turn, log: deps.log, signal, toolUseId, idempotencyKey })),
            { cancelled, timeout: attemptTime(spec) },
          );
          const { maxResultChars: maxChars } = manifest.limits;
          const outcome = outcomeOfSettled(spec, settled, { again, maxChars, blocked: held.ms });
          if (isGivenUp(held.ms)) await deps.late.tell(outcome);
          return outcome;
        } catch (error) {
          // The signal aborts because the worker itself considers a call lost that sends no heartbeat.
          if (isGivenUp(held.ms) && !isCancelAsked()) await deps.late.tell(blockedOutcome(spec, held.ms));
          throw error;
        }
      });
    });
}

/** Cancelled by a person, or by the run. */
function isCancelAsked(): boolean {
  return Context.current().cancellationDetails?.cancelRequested === true;
}

/** The parts of a result, and what the tool reported last before it. */
interface ReportedResult {
  parts: ContentPart[];
  progress: ToolProgress;
}

/** The parts of a result, or an outcome if the call failed, or why it was not run. */
export type WorkResult = ContentPart[] | ReportedResult | ToolOutcome | Unrun;

export type Work = (input: JsonObject, ctx: Ctx) => Promise<WorkResult>;

/** What is known about a call beside its arguments. */
type Called = Pick<RunToolInput, 'resume' | 'filter'> & { manifest: Manifest; blocked?: (ms: number) => void };

/** How a tool is run; `undefined` if this worker no longer has it. */
export function workOf(deps: ToolDeps, agent: AgentDefinition, spec: ToolSpec, call: Called): Work | undefined {
  const { manifest, filter } = call;
  if (isSearch(spec, manifest)) {
    return (input, { signal }) => searchTools(deps.rankers, manifest, { input, filter, signal });
  }
  if (!hasTool(agent, spec)) return undefined;
  return spec.kind === 'mcp' ? mcpWork(deps, agent, spec, call) : internalWork(deps, agent, spec, call);
}

/**
 * What the model, or a person, is told about one attempt.
 * @throws ApplicationFailure what the tool threw, if it has another attempt (`again`)
 */
export function outcomeOfSettled(
  spec: ToolSpec,
  settled: Settled<WorkResult>,
  { again, maxChars, blocked = 0 }: { again: boolean; maxChars: number; blocked?: number },
): ToolOutcome {
  const why = blocked === 0 ? '' : ` Besides, ${blockedWorker(secondsOf(blocked))}`;
  if (settled.type === 'timeout') return timedOut(spec, why);
  if (settled.type === 'thrown') return thrownOutcome(spec, settled.error, { again, why });
  const { value } = settled;
  if (Array.isArray(value)) return outcomeOf(value, maxChars, spec.modelName);
  if ('unrun' in value) return unrunOutcome(spec, value);
  if (!('parts' in value)) return value;
  return { ...outcomeOf(value.parts, maxChars, spec.modelName), progress: value.progress };
}

function isSearch({ name, kind }: ToolSpec, { toolFilter }: Manifest): boolean {
  return toolFilter !== undefined && kind === 'internal' && name === SEARCH_TOOLS;
}

function internalWork(
  { watch, log }: ToolDeps,
  agent: AgentDefinition,
  spec: ToolSpec,
  { blocked, manifest }: Called,
): Work | undefined {
  const tool = Object.hasOwn(agent.tools ?? {}, spec.name) ? agent.tools?.[spec.name] : undefined;
  if (tool === undefined) return builtInWork(agent, spec, manifest.skills);
  return async (input, ctx) => {
    const checked = await check(tool.inputSchema, input);
    if (!checked.ok) return unrun('InvalidArguments', argumentsDoNotFit(checked.problem));
    const watched = { run: ctx.id, tool: spec.name, toolUseId: ctx.toolUseId };
    const value = await logThrown(log, { ...watched, signal: ctx.signal }, () =>
      watch.run(watched, () => tool.execute(checked.value as never, ctx), blocked),
    );
    const result = readResult(spec, value);
    if (!Array.isArray(result) || tool.outputSchema === undefined) return result;
    const fits = await check(tool.outputSchema, value);
    if (fits.ok) return result;
    return errorOutcome('InvalidResult', resultDoesNotFit(spec.modelName, fits.problem));
  };
}

function mcpWork(
  deps: ToolDeps,
  agent: AgentDefinition,
  spec: ToolOf<'mcp'>,
  { resume }: Pick<RunToolInput, 'resume'>,
): Work {
  const { server } = spec.mcp;
  return async (input, ctx) => {
    const definition = deps.serverOf(agent, server);
    const reporter = progressReporter(deps, ctx);
    const { content, error, needs, unknown, notRun } = await deps.callMcp(definition, spec, input, {
      signal: ctx.signal,
      onProgress: reporter.report,
      resume,
      traceparent: traceparentIn(ctx),
    });
    if (needs !== undefined) return { content, needs };
    if (unknown && spec.effect === 'once') return outcomeUnknown(spec, error?.message ?? LOST.answer);
    if (error !== undefined) return notRun ? { unrun: error } : { content, error };
    const progress = reporter.last();
    return progress === undefined ? content : { parts: content, progress };
  };
}

function traceparentIn({ headers: { traceparent } }: Ctx): string | undefined {
  return typeof traceparent === 'string' ? traceparent : undefined;
}

function timedOut(spec: ToolSpec, why: string): ToolOutcome {
  const message = noResultInTime(spec.modelName, attemptTime(spec) / 1000) + why;
  return spec.effect === 'once' ? outcomeUnknown(spec, message) : errorOutcome('ToolTimedOut', message);
}

export function outcomeUnknown(spec: ToolSpec, why: string): ToolOutcome {
  return errorOutcome('OutcomeUnknown', unknownText(spec.modelName, why));
}

/** The outcome of a call whose only fault was that it blocked the worker. */
function blockedOutcome(spec: ToolSpec, ms: number): ToolOutcome {
  if (spec.effect === 'once') return outcomeUnknown(spec, blockedWorker(secondsOf(ms)));
  return errorOutcome('ToolFailed', noResultAsItBlocked(spec.modelName, secondsOf(ms)));
}
