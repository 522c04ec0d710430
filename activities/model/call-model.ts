import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { HoldfastError } from '../../agent/errors/error';
import { NO_USAGE, type Usage } from '../../agent/model/answer';
import type { ModelConfig } from '../../agent/model/config';
import type { Message } from '../../agent/model/message';
import { timeForTools } from '../../agent/plan/with-answer';
import type { CallModelInput, CallModelResult, PartialAnswer } from '../../agent/protocol/activities';
import type { Manifest, RunContext } from '../../agent/protocol/manifest';
import type { DeltaBody } from '../../agent/protocol/stream';
import { defined } from '../../agent/values/defined';
import type { Tracing } from '../../runtime/telemetry/make-spans';
import type { RulesCheck } from '../approvals/rules-of-answer';
import { shutsDown, withHeartbeat } from '../heartbeat';
import { type DeltaSinks, publish } from '../publish-delta';
import type { RunWithAnswer } from '../tools/run-with-answer';
import { ModelCallStopped, streamAnswer } from './answer/stream-answer';
import { attemptClock, attemptOf, CALL_BUDGET } from './call-budget';
import type { CircuitBreaker } from './circuit/breaker';
import type { MediaMask } from './request/mask-media';
import { traceCall } from './trace-call';
import { fitCall, windowOf } from './window/fit-call';
import { measuredCall } from './window/measured-call';
import { checkFits, isTooLong, refusedAsTooLong } from './window/too-long';

export interface CallModelDeps extends DeltaSinks {
  /** By alias. */
  models: Readonly<Record<string, ModelConfig>>;
  tracing?: Tracing | undefined;
  /** Loads what the call's pin and transcript refer to. */
  load(input: CallModelInput): Promise<{ manifest: Manifest; context: RunContext; messages: Message[] }>;
  /** Asks the approval rules about the calls of an answer. */
  judge: RulesCheck;
  /** Lets no call through to a model that did not answer the last ones. */
  breaker: CircuitBreaker;
  /** Runs the calls that may run with the answer. */
  runTools: RunWithAnswer;
  /** The agent's custom media mask, if it has one. */
  maskOf?(agent: string): MediaMask | undefined;
}

/** Makes the activity `holdfast.callModel`. */
export function createCallModel(deps: CallModelDeps): (input: CallModelInput) => Promise<CallModelResult> {
  return (input) =>
    withHeartbeat(async (signal) => {
      const began = Date.now();
      const now = attemptClock();
      let patience = CALL_BUDGET;
      try {
        const loaded = await deps.load(input);
        const { manifest, context } = loaded;
        const tell = publisher(deps, input, loaded);
        const config = modelFor(input.model, deps.models);
        // A model that a person chose may not be one of the manifest's.
        patience = manifest.modelPatience?.[input.model] ?? config.patience ?? patience;
        const mask = deps.maskOf?.(manifest.agent);
        const fit = { ...loaded, call: input, config, mask };
        const fitted = windowOf(fit) === undefined ? undefined : await fitCall(fit);
        if (fitted !== undefined) checkFits(fitted);
        const messages = fitted?.sent ?? loaded.messages;
        const traced = { call: input, config, loaded: { ...loaded, messages } };
        const answer = await traceCall(deps.tracing, traced, async (traceparent) => {
          let counted: Usage | undefined;
          const guarded = { alias: input.model, config, now };
          const streamed = deps.breaker.guard(guarded, (answers) =>
            streamAnswer({
              config,
              system: context.system,
              messages,
              tools: manifest.tools,
              output: manifest.output,
              toolChoice: input.toolChoice,
              parallelToolCalls: manifest.parallelToolCalls,
              call: input.turn,
              mask,
              headers: defined({ traceparent }),
              time: timeLeft(began) - timeForTools(input),
              signal,
              onDelta(body) {
                answers();
                tell(body);
              },
              onUsage: (usage) => {
                counted = usage;
              },
            }),
          );
          const answer = await streamed.catch(async (error: unknown) => {
            if (!isTooLong(error)) throw error;
            throw refusedAsTooLong(error, fitted ?? (await fitCall(fit)));
          });
          tell({ type: 'stream.complete' });
          return fitted === undefined ? answer : { ...answer, ...measuredCall(fitted, counted?.prompt) };
        });
        // A concluding answer runs nothing.
        if (input.toolChoice === 'none') return answer;
        const { toolRequests: requests } = answer;
        const about = { manifest, context, turn: input.turn, requests, cancelled: signal };
        const ruled = { ...answer, toolRequests: await deps.judge(about) };
        return await deps.runTools({ call: input, answer: ruled, manifest, context, cancelled: signal });
      } catch (error) {
        if (!signal.aborted) throw attemptOf(error, { began, budget: patience, now });
        throw interruption(error instanceof ModelCallStopped ? error.partial : NOTHING);
      }
    });
}

/** Share of an attempt's time that an answer may take. */
const MOST_OF_IT = 0.95;

/**
 * Milliseconds in which an answer has to be complete: a little less than the server gives the attempt. Otherwise the
 * server would end the attempt, request and pay for the answer again, and could not say why.
 */
function timeLeft(began: number): number {
  return Math.max(0, MOST_OF_IT * Context.current().info.startToCloseTimeoutMs - (Date.now() - began));
}

const NOTHING: PartialAnswer = { parts: [], usage: NO_USAGE, executionUnits: 0 };

function publisher(
  sinks: DeltaSinks,
  { turn, takesOver }: CallModelInput,
  { manifest: { agent }, context: { delegatedBy } }: { manifest: Manifest; context: RunContext },
): (body: DeltaBody) => void {
  const { info } = Context.current();
  const { attempt, activityId: callId } = info;
  const id = info.workflowExecution?.workflowId ?? '';
  let seq = 0;
  const about = { agent, ...defined({ delegatedBy }) };
  const tell = (body: DeltaBody) => publish(sinks, { ...body, id, turn, callId, attempt, seq: seq++ }, about);
  // Otherwise readers see the text of the previous attempt twice.
  if (attempt > 1 || takesOver) tell({ type: 'stream.clear' });
  return tell;
}

function modelFor(alias: string, models: CallModelDeps['models']): ModelConfig {
  const config = Object.hasOwn(models, alias) ? models[alias] : undefined;
  if (config !== undefined) return config;
  const error = new HoldfastError('UnknownModel', { alias, known: Object.keys(models) });
  throw ApplicationFailure.nonRetryable(error.message, error.type, error.data);
}

/**
 * Only the run's own cancel is a cancel. If the worker shuts down, or an operator pauses or resets the activity, the
 * answer is still wanted: another attempt has to make it.
 */
function interruption(partial: PartialAnswer): Error {
  const details = Context.current().cancellationDetails;
  if (details?.cancelRequested || details?.notFound) {
    return new CancelledFailure('The model call was cancelled', [partial]);
  }
  const type = shutsDown() ? 'WorkerShutdown' : 'Interrupted';
  return ApplicationFailure.create({
    type,
    message: type === 'WorkerShutdown' ? 'The worker shuts down.' : 'The attempt was interrupted.',
    details: [null, partial],
    nextRetryDelay: 100,
  });
}
