import { ApplicationFailure, Context } from '@temporalio/activity';
import { attemptTime } from '../../agent/attempt-time';
import type { Ctx, Log } from '../../agent/context';
import type { AgentDefinition, McpServer } from '../../agent/define-agent';
import { HoldfastError, messageOf } from '../../agent/error';
import { FILE_TOOLS } from '../../agent/file-tools';
import { type JsonObject, jsonBytes } from '../../agent/json';
import { INLINE } from '../../agent/limits';
import type { ToolSpec } from '../../agent/manifest';
import type { ContentPart } from '../../agent/message';
import { check } from '../../agent/schema';
import type { RunToolInput, ToolOutcome } from '../../agent/tool-call';
import { errorOutcome } from '../../agent/tool-outcome';
import { outcomeOf, partsOf } from '../../agent/tool-result';
import type { Tracing } from '../../runtime/telemetry/tracing';
import { makeCtx } from '../ctx';
import { withHeartbeat } from '../heartbeat';
import type { McpCallContext, McpCallResult } from '../mcp';
import type { Outlook } from '../publish';
import type { Registry } from '../registry';
import { notInline } from '../run/not-inline';
import type { PinStore } from '../run/pins';
import { PathRefused, runFileTool } from './files';
import { progressReporter } from './report-progress';
import { type Settled, settle } from './settle';
import { traceTool } from './trace-tool';

export interface ToolDeps extends Outlook {
  registry: Registry;
  pins: PinStore;
  log: Log;
  tracing?: Tracing | undefined;
  serverOf(agent: AgentDefinition, server: string): McpServer;
  callMcp(definition: McpServer, tool: ToolSpec, input: JsonObject, call: McpCallContext): Promise<McpCallResult>;
}

/**
 * The activity behind every tool: it runs under the tool's own name. What goes wrong is a result for the model and
 * never a failed activity, apart from a lost worker and a cancel.
 */
export function createRunTool(deps: ToolDeps) {
  return (call: RunToolInput): Promise<ToolOutcome> =>
    withHeartbeat(async (cancelled) => {
      const { activityType, workflowType, attempt, isLocal } = Context.current().info;
      const pinned = await deps.pins.both(call.pin);
      const { manifest } = pinned;
      const spec = manifest.tools.find((tool) => tool.name === activityType);
      return traceTool(deps.tracing, { ...pinned, call, spec }, async (context) => {
        const agent = deps.registry.find(workflowType ?? '');
        if (spec === undefined || agent === undefined) return missing(activityType);
        const { toolUseId, idempotencyKey, turn } = call;
        const work = workOf(deps, agent, spec, call);
        if (work === undefined) return missing(spec.modelName);
        const settled = await settle(
          (signal) =>
            work(call.input, makeCtx({ manifest, context, turn, log: deps.log, signal, toolUseId, idempotencyKey })),
          isLocal ? { cancelled, timeout: INLINE.time, grace: 0 } : { cancelled, timeout: attemptTime(spec) },
        );
        if (isLocal && settled.type === 'timeout') throw notInline('it took too long');
        const again = isLocal ? spec.attempts > 1 : attempt < spec.attempts;
        const outcome = outcomeOfSettled(spec, settled, { again, maxChars: manifest.limits.maxResultChars });
        if (isLocal && jsonBytes(outcome) > INLINE.bytes) throw notInline('its result is too large');
        return outcome;
      });
    });
}

/** Gives the parts of a result, or an outcome where the call failed. */
export type Work = (input: JsonObject, ctx: Ctx) => Promise<ContentPart[] | ToolOutcome>;

/** How a tool is run; `undefined` where this worker no longer has it. */
export function workOf(
  deps: ToolDeps,
  agent: AgentDefinition,
  spec: ToolSpec,
  call: Pick<RunToolInput, 'resume'> = {},
): Work | undefined {
  return spec.kind === 'mcp' ? mcpWork(deps, agent, spec, call) : internalWork(agent, spec);
}

/**
 * What the model, or a person, is told of one attempt.
 * @throws ApplicationFailure what the tool threw, where it has another attempt (`again`)
 */
export function outcomeOfSettled(
  spec: ToolSpec,
  settled: Settled<ContentPart[] | ToolOutcome>,
  { again, maxChars }: { again: boolean; maxChars: number },
): ToolOutcome {
  if (settled.type === 'timeout') return timedOut(spec);
  if (settled.type === 'thrown') return thrown(spec, settled.error, again);
  const { value } = settled;
  return Array.isArray(value) ? outcomeOf(value, maxChars, spec.modelName) : value;
}

function internalWork(agent: AgentDefinition, spec: ToolSpec): Work | undefined {
  const tool = Object.hasOwn(agent.tools ?? {}, spec.name) ? agent.tools?.[spec.name] : undefined;
  if (tool === undefined) return fileWork(agent, spec);
  return async (input, ctx) => {
    const checked = await check(tool.input, input);
    if (!checked.ok) return errorOutcome('InvalidArguments', `Arguments do not fit: ${checked.problem}`);
    const value = await tool.run(checked.value as never, ctx);
    if (tool.output !== undefined) {
      const result = await check(tool.output, value);
      if (!result.ok) {
        return errorOutcome('ToolFailed', `\`${spec.modelName}\` ran, but its result does not fit: ${result.problem}`);
      }
    }
    return partsOf(value);
  };
}

function fileWork({ files }: AgentDefinition, { name }: ToolSpec): Work | undefined {
  if (files === undefined || !FILE_TOOLS.some((tool) => tool.name === name)) return undefined;
  return async (input) => {
    try {
      return await runFileTool(files.root, name, input);
    } catch (error) {
      if (error instanceof PathRefused) return errorOutcome('ToolFailed', error.message);
      throw error;
    }
  };
}

function mcpWork(
  deps: ToolDeps,
  agent: AgentDefinition,
  spec: ToolSpec,
  { resume }: Pick<RunToolInput, 'resume'>,
): Work | undefined {
  const server = spec.mcp?.server ?? '';
  if (!Object.hasOwn(agent.mcp ?? {}, server)) return undefined;
  return async (input, ctx) => {
    const definition = deps.serverOf(agent, server);
    const { content, error, needs, unknown } = await deps.callMcp(definition, spec, input, {
      signal: ctx.signal,
      onProgress: progressReporter(deps, ctx),
      resume,
      traceparent: traceparentIn(ctx),
    });
    if (needs !== undefined) return { content, needs };
    if (unknown && spec.effect === 'once') return outcomeUnknown(spec, error?.message ?? 'it gave no answer');
    return error === undefined ? content : { content, error };
  };
}

function traceparentIn({ headers: { traceparent } }: Ctx): string | undefined {
  return typeof traceparent === 'string' ? traceparent : undefined;
}

export function missing(name: string): ToolOutcome {
  return errorOutcome('ToolMissing', `The tool \`${name}\` no longer exists on this worker. Go on without it.`);
}

function timedOut(spec: ToolSpec): ToolOutcome {
  const message = `\`${spec.modelName}\` gave no result within ${attemptTime(spec) / 1000} s.`;
  return spec.effect === 'once' ? outcomeUnknown(spec, message) : errorOutcome('ToolTimedOut', message);
}

export function outcomeUnknown(spec: ToolSpec, why: string): ToolOutcome {
  return errorOutcome(
    'OutcomeUnknown',
    `It is unknown whether \`${spec.modelName}\` took effect: ${why} It will not be run again with the same arguments. ` +
      'Find out by other means what happened.',
  );
}

/** What a tool threw, as a result; or as a failed attempt, where the tool has another. */
function thrown(spec: ToolSpec, error: unknown, again: boolean): ToolOutcome {
  // An error of ours already says what to do; others are told with the name of the tool.
  const message = error instanceof HoldfastError ? error.message : `\`${spec.modelName}\` failed: ${textOf(error)}`;
  if (again) throw ApplicationFailure.create({ type: 'ToolFailed', message });
  return errorOutcome('ToolFailed', message);
}

/** Characters of a thrown error's text that are kept: some libraries put whole documents into it. */
const MAX_ERROR_TEXT = 2000;

function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message || messageOf(error) : String(error);
  return text.slice(0, MAX_ERROR_TEXT);
}
