import { CancelledFailure, Context } from '@temporalio/activity';
import { attemptTime } from '../../agent/define/attempt-time';
import { WITH_ANSWER } from '../../agent/limits';
import { type PlannedCall, planCalls } from '../../agent/plan/plan-calls';
import { callsWithAnswer } from '../../agent/plan/with-answer';
import type { CallModelInput, CallModelResult } from '../../agent/protocol/activities';
import { keyOf } from '../../agent/protocol/idempotency-key';
import type { Manifest, RunContext, ToolSpec } from '../../agent/protocol/manifest';
import type { ResultWithAnswer } from '../../agent/protocol/tool-call';
import { errorOutcome } from '../../agent/protocol/tool-outcome';
import { jsonBytes } from '../../agent/values/json';
import { makeCtx } from '../ctx';
import { shutsDown } from '../heartbeat';
import { outcomeOfSettled, type ToolDeps, workOf } from './run-tool';
import { settle } from './settle';
import { traceTool } from './trace-tool';

/** An answer that has arrived, and the run that it belongs to. */
export interface AnswerToRun {
  call: Pick<CallModelInput, 'turn' | 'chainId'>;
  answer: CallModelResult;
  manifest: Manifest;
  context: RunContext;
  cancelled: AbortSignal;
}

/** The answer with the results of those of its calls that ran with it. */
export type RunWithAnswer = (asked: AnswerToRun) => Promise<CallModelResult>;

type ToolCall = PlannedCall & { tool: ToolSpec };

/**
 * Runs the calls of an answer where the model was asked, if none of them may do harm when it is run again, or has to wait for
 * somebody. What is not done in time, is too large, or may be tried again comes without a result: the workflow schedules it as
 * an activity of its own. A cancel ends the calls, and what was done by then comes back with the answer.
 */
export function createRunWithAnswer(deps: ToolDeps): RunWithAnswer {
  return async (asked) => {
    const { call, answer, manifest } = asked;
    // An attempt before may have died of these tools, which then get activities, where the server counts their attempts.
    if (call.chainId === undefined || Context.current().info.attempt > 1) return answer;
    const plan = planCalls(answer.toolRequests, { turn: call.turn, manifest, unknownOutcomes: [] });
    const calls = callsWithAnswer(plan);
    if (calls.length === 0) return answer;
    const clock = new Clock(asked.cancelled);
    try {
      const lanes = await Promise.all(inLanes(calls).map((lane) => runLane(deps, asked, lane, clock)));
      const done = new Map(lanes.flat().map((result) => [result.toolUseId, result]));
      const results = fitting(answer, calls, done);
      return results.length === 0 ? answer : { ...answer, results };
    } finally {
      clock.stop();
    }
  };
}

/** Calls that run at once, those of a lane one after the other. */
function inLanes(calls: readonly ToolCall[]): ToolCall[][] {
  const lanes = new Map<unknown, ToolCall[]>();
  for (const call of calls) {
    const lane = call.lane ?? call;
    lanes.set(lane, [...(lanes.get(lane) ?? []), call]);
  }
  return [...lanes.values()];
}

/** After a call that comes without a result none of its lane may run before it. */
async function runLane(deps: ToolDeps, asked: AnswerToRun, lane: readonly ToolCall[], clock: Clock) {
  const results: ResultWithAnswer[] = [];
  for (const call of lane) {
    const result = await runOne(deps, asked, call, clock);
    if (result === undefined) break;
    results.push(result);
  }
  return results;
}

async function runOne(
  deps: ToolDeps,
  { call: { turn, chainId = '' }, manifest, context, cancelled }: AnswerToRun,
  { toolUseId, tool: spec, request: { input, hash } }: ToolCall,
  clock: Clock,
): Promise<ResultWithAnswer | undefined> {
  const start = Date.now();
  const left = clock.left();
  const agent = deps.registry.find(manifest.agent);
  let held = 0;
  const blocked = (ms: number) => {
    held = Math.max(held, ms);
  };
  const work = agent && workOf(deps, agent, spec, { blocked });
  if (work === undefined || left <= 0) return undefined;
  try {
    let isUndone = false;
    const outcome = await traceTool(
      deps.tracing,
      { manifest, context, call: { turn, toolUseId, input }, spec },
      async (told) => {
        const idempotencyKey = keyOf({ chainId }, { toolUseId, hash });
        const settled = await settle(
          (signal) =>
            work(input, {
              ...makeCtx({ manifest, context: told, turn, log: deps.log, signal, toolUseId, idempotencyKey }),
              // The details of a heartbeat are those of the model call here.
              heartbeat() {},
            }),
          { cancelled: clock.signal, timeout: Math.min(left, attemptTime(spec)), grace: 0 },
        );
        isUndone =
          (settled.type === 'timeout' && attemptTime(spec) > left) || (settled.type === 'thrown' && spec.attempts > 1);
        return outcomeOfSettled(spec, settled, {
          again: false,
          maxChars: manifest.limits.maxResultChars,
          blocked: held,
        });
      },
    );
    if (isUndone || outcome.needs !== undefined || jsonBytes(outcome) > WITH_ANSWER.result) return undefined;
    return { toolUseId, outcome, start, end: Date.now() };
  } catch (error) {
    if (!(error instanceof CancelledFailure) || !cancelled.aborted) throw error;
    return {
      toolUseId,
      outcome: errorOutcome('ToolCancelled', `\`${spec.modelName}\` was cancelled.`),
      start,
      end: Date.now(),
    };
  }
}

/** Results that fit into one payload together with their answer, in the order of the calls. */
function fitting(
  answer: CallModelResult,
  calls: readonly ToolCall[],
  done: ReadonlyMap<string, ResultWithAnswer>,
): ResultWithAnswer[] {
  let room = WITH_ANSWER.payload - jsonBytes(answer);
  return calls.flatMap(({ toolUseId }) => {
    const result = done.get(toolUseId);
    const bytes = jsonBytes(result);
    if (result === undefined || bytes > room) return [];
    room -= bytes;
    return [result];
  });
}

/** The time that all calls of an answer have together. A worker that shuts down lets them end: it is short. */
class Clock {
  readonly #until = Date.now() + WITH_ANSWER.time;
  readonly #cancelled = new AbortController();
  readonly #stop: () => void;

  constructor(cancelled: AbortSignal) {
    const context = Context.current();
    const abort = () => {
      if (!shutsDown(context)) this.#cancelled.abort(cancelled.reason);
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

  stop(): void {
    this.#stop();
  }
}
