import { delegationRefused as refusalText } from '../../agent/prompts/calls/refused-calls';
import { serviceTimedOut } from '../../agent/prompts/calls/services';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import { PARENT_SUBJECT } from '../../agent/protocol/event';
import type { ToolOf } from '../../agent/protocol/manifest';
import type { ServiceSpec } from '../../agent/protocol/service-spec';
import type { ServiceRequest } from '../../agent/state/awaited-service';
import type { BatchCall } from '../../agent/state/batch';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import type { JsonObject } from '../../agent/values/json';
import { agentReached, delegationProblem, lineageOf } from '../run/lineage';
import type { Run } from '../run/run';
import { TIMED_OUT, within } from '../run/scheduling/within';
import { idempotencyKey, inputOf, type ToolCall } from '../state/selectors/calls';
import { awaitAnswer } from '../waits/await-service-answer';
import { releaseShare } from './child-budget';
import { isChildCall, serveChild } from './child-service';
import type { ServiceCall } from './service-event';
import { serviceInDomain } from './service-in-domain';
import type { AnsweredCall } from './service-outcome';

/**
 * Asks a service and waits for its answer, for seconds or for weeks. The answer is not checked yet. Every failure
 * becomes a result for the model.
 */
export async function serve(
  run: Run,
  { call, tool }: ToolCall<ToolOf<'service'>>,
): Promise<AnsweredCall | ToolOutcome> {
  const service = serviceInDomain(tool.service, run.state.initiator?.domain);
  const refusal = delegationRefused(run.state, service);
  if (refusal !== undefined) return refusal;
  const served: ServiceCall = {
    call,
    tool,
    service,
    data: dataOf(run.state, call, service),
    ref: refOf(run.state, call, service),
  };
  const { timeout } = service;
  const before = call.service;
  const { expiresAt } = before ?? callNow(run, served);
  const summary = `${call.toolUseId} ${tool.name}: no answer in time`;
  const limit = expiresAt === undefined ? undefined : { ms: expiresAt - Date.now(), summary };
  const isChild = isChildCall(served);
  const answer = await within(limit, () =>
    isChildCall(served) ? serveChild(run, served) : awaitAnswer(run, served, before !== undefined),
  );
  if (answer === TIMED_OUT) {
    return errorOutcome('ServiceTimedOut', serviceTimedOut(tool.modelName, spoken(timeout ?? 0)));
  }
  if ('content' in answer) return answer;
  // Other answers are recorded when their message arrives.
  if (isChild) {
    run.apply({ type: 'serviceAnswered', toolUseId: call.toolUseId, answer, at: Date.now() });
    releaseShare(run, call.toolUseId, answer);
  }
  return { ...served, answer };
}

/** Records the call. One that was made in an earlier history waits for its answer in the time that is left. */
function callNow(run: Run, { call, service, ref }: ServiceCall): ServiceRequest {
  const { timeout, kind, domain, domains } = service;
  const since = Date.now();
  const awaited: ServiceRequest = {
    ref,
    kind,
    since,
    ...(timeout === undefined ? {} : { expiresAt: since + timeout }),
    // Where there is only one, the manifest names it.
    ...(domains === undefined ? {} : defined({ domain })),
  };
  run.apply({ type: 'serviceCalled', toolUseId: call.toolUseId, service: awaited });
  return awaited;
}

function dataOf({ id }: AgentState, call: BatchCall, { parentSubject }: ServiceSpec): JsonObject {
  const input = inputOf(call);
  return parentSubject ? { ...input, [PARENT_SUBJECT]: id } : input;
}

function refOf(state: AgentState, call: BatchCall, { kind }: ServiceSpec): string {
  return kind === 'child' || kind === 'agent' ? `${state.id}/${call.toolUseId}` : idempotencyKey(state, call);
}

function delegationRefused(state: AgentState, service: ServiceSpec): ToolOutcome | undefined {
  const agent = agentReached(service);
  if (agent === undefined) return undefined;
  const problem = delegationProblem(lineageOf(state), agent);
  return problem === undefined ? undefined : errorOutcome('DelegationRefused', refusalText(agent, problem));
}

/** A duration in milliseconds, in words. */
function spoken(ms: number): string {
  const [unit, size] = ms >= 172_800_000 ? ['days', 86_400_000] : ms >= 7_200_000 ? ['h', 3_600_000] : ['s', 1000];
  return `${Math.round((ms / (size as number)) * 10) / 10} ${unit}`;
}
