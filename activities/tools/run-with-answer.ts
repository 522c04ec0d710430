import { Context } from '@temporalio/activity';
import { attemptTime } from '../../agent/define/attempt-time';
import { messageOf } from '../../agent/errors/error';
import { WITH_ANSWER } from '../../agent/limits';
import { type PlannedCall, planCalls } from '../../agent/plan/plan-calls';
import { callsWithAnswer } from '../../agent/plan/with-answer';
import { cancelled } from '../../agent/prompts/calls/failed-calls';
import { keyOf } from '../../agent/protocol/calls/idempotency-key';
import type { CallModelInput, CallModelResult } from '../../agent/protocol/calls/model-call';
import type { ResultWithAnswer, ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import type { Manifest, RunContext, ToolSpec } from '../../agent/protocol/manifest';
import { defined } from '../../agent/values/defined';
import { jsonBytes } from '../../agent/values/json';
import { makeCtx } from '../ctx';
import { outcomeOfSettled, type ToolDeps, workOf } from './run-tool';
import { settle } from './settle';
import { traceTool } from './trace-tool';

/** An answer that has arrived, and the run that it belongs to. */
export interface AnswerToRun {
  call: Pick<CallModelInput, 'turn' | 'chainId' | 'budget' | 'filter' | 'blocked'>;
  answer: CallModelResult;
  manifest: Manifest;
  context: RunContext;
  cancelled: AbortSignal;
}

/** Returns the answer with the results of the calls that ran with it. */
export type RunWithAnswer = (asked: AnswerToRun) => Promise<CallModelResult>;

type ToolCall = PlannedCall & { tool: ToolSpec };

/**
 * Runs the calls of an answer in the activity of the model call, if they are all safe to repeat and none has to wait
 * for a person. A call that takes too long, has a too large result, or may be retried gets no result: the workflow
 * schedules it as a separate activity. A cancel ends the calls, and results up to then come back with the answer.
 */
export function createRunWithAnswer(deps: ToolDeps): RunWithAnswer {
  return async (asked) => {
    const { call, answer, manifest } = asked;
    // A previous attempt may have died because of these tools. They get activities, where the server counts their
    // attempts.
    if (call.chainId === undefined || Context.current().info.attempt > 1) return answer;
    const plan = planCalls(answer.toolRequests, {
      turn: call.turn,
      manifest,
      unknownOutcomes: [],
      toolCallsLeft: call.budget?.toolCalls,
      blocked: call.blocked,
    });
    const calls = callsWithAnswer(plan);
    if (calls.length === 0) return answer;
    const limits = new Limits(asked.cancelled, WITH_ANSWER.payload - jsonBytes(answer));
    try {
      const ran = await Promise.all(calls.map((one) => runOne(deps, asked, one, limits)));
      const results = ran.filter((result) => result !== undefined);
      return results.length === 0 ? answer : { ...answer, results };
    } finally {
      limits.stop();
    }
  };
}

async function runOne(
  deps: ToolDeps,
  { call: { turn, chainId = '', filter: given }, answer, manifest, context }: AnswerToRun,
  { toolUseId, tool: spec, request: { input, hash } }: ToolCall,
  limits: Limits,
): Promise<ResultWithAnswer | undefined> {
  const start = Date.now();
  const left = limits.left();
  const agent = deps.registry.find(manifest.agent);
  let held = 0;
  const blocked = (ms: number) => {
    held = Math.max(held, ms);
  };
  const filter = given && { ...given, ...defined({ ranked: answer.offered?.ranked }) };
  const work = agent && workOf(deps, agent, spec, { manifest, blocked, ...defined({ filter }) });
  if (work === undefined || left <= 0) return undefined;
  const result = (outcome: ToolOutcome) => ({ toolUseId, outcome, start, end: Date.now() });
  // Another attempt at the model call may give another call the same id.
  const callId = `${Context.current().info.activityId}/${toolUseId}`;
  const traced = { manifest, context, call: { turn, toolUseId, input }, spec, callId };
  try {
    const kept = await traceTool(deps.tracing, traced, async (told) => {
      const idempotencyKey = keyOf({ chainId }, { toolUseId, hash });
      const ctxOf = (signal: AbortSignal) => ({
        ...makeCtx({ manifest, context: told, turn, log: deps.log, signal, toolUseId, idempotencyKey }),
        // Heartbeat details belong to the model call here.
        heartbeat() {},
      });
      const timeout = Math.min(left, attemptTime(spec));
      const settled = await settle((signal) => work(input, ctxOf(signal)), {
        cancelled: limits.signal,
        timeout,
        grace: 0,
      });
      if (settled.type === 'timeout' && attemptTime(spec) > left) return undefined;
      if (settled.type === 'thrown' && spec.attempts > 1) return undefined;
      const { maxResultChars: maxChars } = manifest.limits;
      const outcome = outcomeOfSettled(spec, settled, { again: false, maxChars, blocked: held });
      return outcome.needs === undefined && limits.keeps(outcome) ? outcome : undefined;
    });
    return kept === undefined ? undefined : result(kept);
  } catch (error) {
    if (limits.signal.aborted) return result(errorOutcome('ToolCancelled', cancelled(spec.modelName)));
    // The answer is paid for, so this must not fail the model call: a separate activity of the tool reports the
    // problem.
    deps.log.debug(
      { toolUseId, tool: spec.name, problem: messageOf(error) },
      'The call runs in an activity of its own.',
    );
    return undefined;
  }
}

/**
 * Limits for all calls of an answer together: time, and bytes. Only the run's own cancel ends them, since the time is
 * short.
 */
class Limits {
  readonly #until = Date.now() + WITH_ANSWER.time;
  readonly #cancelled = new AbortController();
  readonly #stop: () => void;

  /** @param room bytes left for results beside the answer */
  constructor(
    cancelled: AbortSignal,
    private room: number,
  ) {
    const context = Context.current();
    const abort = () => {
      const { cancelRequested, notFound } = context.cancellationDetails ?? {};
      if (cancelRequested || notFound) this.#cancelled.abort(cancelled.reason);
    };
    if (cancelled.aborted) abort();
    else cancelled.addEventListener('abort', abort, { once: true });
    this.#stop = () => cancelled.removeEventListener('abort', abort);
  }

  get signal(): AbortSignal {
    return this.#cancelled.signal;
  }

  left(): number {
    return this.#until - Date.now();
  }

  /** Whether a result is kept; if so, its bytes are used up. */
  keeps(outcome: ToolOutcome): boolean {
    const bytes = jsonBytes(outcome);
    if (bytes > WITH_ANSWER.result || bytes > this.room) return false;
    this.room -= bytes;
    return true;
  }

  stop(): void {
    this.#stop();
  }
}
