import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import type { Log } from '../../agent/define/context';
import { HoldfastError } from '../../agent/errors/error';
import type { Usage } from '../../agent/model/answer';
import type { ModelConfig } from '../../agent/model/config';
import type { Message } from '../../agent/model/message';
import type { ModelSettings } from '../../agent/model/settings';
import { timeForTools } from '../../agent/plan/with-answer';
import type { CallModelInput, CallModelResult } from '../../agent/protocol/calls/model-call';
import type { Manifest, RunContext } from '../../agent/protocol/manifest';
import type { DeltaBody } from '../../agent/protocol/stream';
import { defined } from '../../agent/values/defined';
import type { Tracing } from '../../runtime/telemetry/make-spans';
import type { RulesCheck } from '../approvals/rules-of-answer';
import { shutsDown, withHeartbeat } from '../heartbeat';
import { type DeltaSinks, publish } from '../publish-delta';
import type { RunWithAnswer } from '../tools/run-with-answer';
import { streamAnswer } from './answer/stream-answer';
import { attemptClock, attemptOf, CALL_BUDGET, heartbeatOf } from './call-budget';
import type { CircuitBreaker } from './circuit/breaker';
import type { Leases } from './leases/leases';
import type { MediaMask } from './request/mask-media';
import { modelInEffect } from './settings/model-in-effect';
import { traceCall } from './trace-call';
import { CallSpending } from './usage/call-spending';
import { onceEach } from './usage/warnings';
import { fitCall, windowOf } from './window/fit-call';
import { measuredCall, ownCount } from './window/measured-call';
import { checkFits, isTooLong, refusedAsTooLong } from './window/too-long';

export interface CallModelDeps extends DeltaSinks {
  /** By alias. */
  models: Readonly<Record<string, ModelConfig>>;
  tracing?: Tracing | undefined;
  /** Loads what the call's pin and transcript refer to. */
  load(input: CallModelInput): Promise<{ manifest: Manifest; context: RunContext; messages: Message[] }>;
  leases: Pick<Leases, 'during'>;
  /** Asks the approval rules about the calls of an answer. */
  judge: RulesCheck;
  /** Lets no call through to a model that did not answer the last ones. */
  breaker: CircuitBreaker;
  /** Runs the calls that may run with the answer. */
  runTools: RunWithAnswer;
  /** The agent's custom media mask, if it has one. */
  maskOf?(agent: string): MediaMask | undefined;
  /** The agent's own headers for its models, if it has any. */
  headersOf?(agent: string): ModelSettings['extraHeaders'];
  /** Default: warnings go nowhere. */
  log?: Pick<Log, 'warn'>;
}

/** Makes the activity `holdfast.callModel`. */
export function createCallModel(deps: CallModelDeps): (input: CallModelInput) => Promise<CallModelResult> {
  const warnings = onceEach(deps.log);
  return (input) => {
    const began = Date.now();
    const now = attemptClock();
    const spending = new CallSpending();
    const attempt = async (signal: AbortSignal) => {
      let patience = CALL_BUDGET;
      try {
        const loaded = await deps.load(input);
        const { manifest, context } = loaded;
        const tell = publisher(deps, input, loaded);
        const config = modelInEffect(modelFor(input.model, deps.models), manifest, deps.headersOf?.(manifest.agent));
        // A model that a person chose may not be one of the manifest's.
        patience = manifest.modelPatience?.[input.model] ?? config.patience ?? patience;
        const mask = deps.maskOf?.(manifest.agent);
        const fit = { ...loaded, call: input, config, mask };
        const fitted = windowOf(fit) === undefined ? undefined : await fitCall(fit);
        if (fitted !== undefined) checkFits(fitted);
        const messages = fitted?.sent ?? loaded.messages;
        const traced = { call: input, config, loaded: { ...loaded, messages } };
        const about = { alias: input.model, config, interactive: manifest.mode === 'conversation', messages, signal };
        // The call, and its span, begin with the lease.
        const call = () =>
          traceCall(deps.tracing, traced, async (traceparent) => {
            let counted: Usage | undefined;
            const guarded = { alias: input.model, config, now };
            const ask = (answers: () => void) =>
              streamAnswer({
                config,
                system: context.system,
                messages,
                tools: manifest.tools,
                output: manifest.output,
                structuredOutput: input.structuredOutput,
                toolChoice: input.toolChoice,
                uncalled: input.uncalled,
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
                counted: fitted && ownCount(fitted),
                onStart: (own) => spending.follow(own),
                warn: warnings(input.model),
              });
            const answer = await deps.breaker.guard(guarded, ask).catch(async (error: unknown) => {
              if (!isTooLong(error)) throw error;
              throw refusedAsTooLong(error, fitted ?? (await fitCall(fit)));
            });
            tell({ type: 'stream.complete' });
            return fitted === undefined ? answer : { ...answer, ...measuredCall(fitted, counted?.prompt) };
          });
        const answer = await deps.leases.during(about, call);
        // A concluding answer runs nothing.
        if (input.toolChoice === 'none') return spending.whole(answer);
        const { toolRequests: requests } = answer;
        const judged = { manifest, context, turn: input.turn, requests, cancelled: signal };
        const ruled = { ...answer, toolRequests: await deps.judge(judged) };
        return spending.whole(
          await deps.runTools({ call: input, answer: ruled, manifest, context, cancelled: signal }),
        );
      } catch (error) {
        if (!signal.aborted) throw attemptOf(error, { began, budget: patience, now, spending });
        throw interruption(error, spending);
      }
    };
    return withHeartbeat(attempt, () => heartbeatOf(spending));
  };
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
function interruption(error: unknown, spending: CallSpending): Error {
  const partial = spending.failed(error);
  const details = Context.current().cancellationDetails;
  if (details?.cancelRequested || details?.notFound) {
    return new CancelledFailure('The model call was cancelled', [partial]);
  }
  Context.current().heartbeat(heartbeatOf(spending));
  const type = shutsDown() ? 'WorkerShutdown' : 'Interrupted';
  return ApplicationFailure.create({
    type,
    message: type === 'WorkerShutdown' ? 'The worker shuts down.' : 'The attempt was interrupted.',
    details: [null, partial],
    nextRetryDelay: 100,
  });
}
