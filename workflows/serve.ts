import { PARENT_SUBJECT } from '../agent/event';
import type { JsonObject } from '../agent/json';
import type { ServiceSpec } from '../agent/manifest';
import type { AgentState, AwaitedService, AwaitingCall } from '../agent/state';
import type { ToolOutcome } from '../agent/tool-call';
import { errorOutcome } from '../agent/tool-outcome';
import { answerOutcome } from './answer-outcome';
import type { Gated } from './approve';
import { idempotencyKey } from './idempotency-key';
import type { Run } from './run';
import { awaitAnswer } from './serve-answer';
import { serveChild } from './serve-child';
import { lineageOf, type ServiceCall } from './service-call';
import { publishWaiting } from './status';
import { inputOf } from './step-waits';
import { TIMED_OUT, within } from './within';

/** Asks a service and waits for its answer, for seconds or for weeks. Whatever goes wrong is a result for the model. */
export async function serve(run: Run, { call, tool }: Gated): Promise<ToolOutcome> {
  const { service } = tool;
  if (service === undefined) throw new Error(`${tool.name} has no service`);
  const refusal = service.way === 'agent' ? delegationRefused(run.state, service) : undefined;
  if (refusal !== undefined) return refusal;
  const served: ServiceCall = {
    call,
    tool,
    service,
    data: dataOf(run.state, call, service),
    ref: refOf(run.state, call, service),
  };
  const { timeout, way } = service;
  const since = Date.now();
  const awaited: AwaitedService = {
    ref: served.ref,
    way,
    since,
    ...(timeout === undefined ? {} : { expiresAt: since + timeout }),
  };
  run.apply({ type: 'serviceCalled', toolUseId: call.toolUseId, service: awaited });
  publishWaiting(run);
  const limit =
    timeout === undefined ? undefined : { ms: timeout, summary: `${call.toolUseId} ${tool.name}: no answer in time` };
  const isChild = way === 'child' || way === 'agent';
  const answer = await within(limit, () => (isChild ? serveChild(run, served) : awaitAnswer(run, served)));
  // After it, so that a late message finds the call as it is: see publishWaiting.
  if (!isChild) publishWaiting(run);
  if (answer === TIMED_OUT) {
    return errorOutcome('ServiceTimedOut', `\`${tool.modelName}\` gave no answer within ${spoken(timeout ?? 0)}.`);
  }
  if ('outcome' in answer) return answer.outcome;
  // Others are noted when their message arrives.
  if (isChild) run.apply({ type: 'serviceAnswered', toolUseId: call.toolUseId, answer });
  return answerOutcome(run, served, answer);
}

function dataOf({ id }: AgentState, call: AwaitingCall, { parentSubject }: ServiceSpec): JsonObject {
  const input = inputOf(call);
  return parentSubject ? { ...input, [PARENT_SUBJECT]: id } : input;
}

function refOf(state: AgentState, { toolUseId }: AwaitingCall, { way }: ServiceSpec): string {
  return way === 'child' || way === 'agent' ? `${state.id}/${toolUseId}` : idempotencyKey(state, toolUseId);
}

/** Agents that may stand above one another: deeper chains are mistakes, and each level costs a run. */
const MAX_DEPTH = 8;

function delegationRefused(state: AgentState, { workflow = '' }: ServiceSpec): ToolOutcome | undefined {
  const lineage = lineageOf(state);
  const chain = [...lineage, workflow].join(' → ');
  if (lineage.includes(workflow)) {
    return errorOutcome(
      'DelegationRefused',
      `\`${workflow}\` was not asked: it would wait for itself (${chain}). Do it yourself.`,
    );
  }
  if (lineage.length >= MAX_DEPTH) {
    return errorOutcome(
      'DelegationRefused',
      `\`${workflow}\` was not asked: at most ${MAX_DEPTH} agents may delegate to one another (${chain}). Do it yourself.`,
    );
  }
  return undefined;
}

/** Milliseconds as people say them. */
function spoken(ms: number): string {
  const [unit, size] = ms >= 172_800_000 ? ['days', 86_400_000] : ms >= 7_200_000 ? ['h', 3_600_000] : ['s', 1000];
  return `${Math.round((ms / (size as number)) * 10) / 10} ${unit}`;
}
