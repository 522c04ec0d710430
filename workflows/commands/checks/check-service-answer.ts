import { reportInEvent } from '../../../agent/budget/report';
import { HoldfastError } from '../../../agent/errors/error';
import { partsOfKey } from '../../../agent/protocol/calls/idempotency-key';
import { checkEvent } from '../../../agent/protocol/event';
import type { ServiceAnswer } from '../../../agent/state/awaited-service';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import { isJsonObject } from '../../../agent/values/json';
import { isNestedDeeper, MAX_DEPTH } from '../../../agent/values/json-depth';
import { callOf, idempotencyKey } from '../../state/selectors/calls';

/** The call that a message about a service settles, or why it settles none. */
export type Answered =
  | { toolUseId: string; answer: ServiceAnswer }
  | { why: string; toolUseId?: string; detail?: string };

/** `{toolUseId, idempotencyKey?, data | error}`, as the service signals it. Pure. */
export function answerOfToolResult(state: AgentState, given: unknown): Answered {
  const invalid = (detail: string): Answered => ({ why: 'InvalidToolResult', detail });
  if (!isJsonObject(given)) return invalid('Expected `{"toolUseId": …, "data": …}` or `{"toolUseId": …, "error": …}`');
  const { toolUseId, idempotencyKey: key, data } = given;
  // Some senders write all fields, the unused ones as null.
  const error = given.error ?? undefined;
  if (typeof toolUseId !== 'string') return invalid('Expected `toolUseId` to be a string');
  if (key !== undefined && key !== null) {
    if (typeof key !== 'string') return invalid('Expected `idempotencyKey` to be a string');
    const call = callOf(state, toolUseId);
    if (call === undefined || key !== idempotencyKey(state, call)) return aboutNoCall(state, key);
  }
  if ((data === undefined) === (error === undefined)) return invalid('Expected either `data` or `error`');
  if (isNestedDeeper(given, MAX_DEPTH + 1)) return invalid(`It is nested deeper than ${MAX_DEPTH} levels`);
  const answer: ServiceAnswer =
    error === undefined ? { data: data ?? null } : { error: typeof error === 'string' ? error : JSON.stringify(error) };
  return accepted(state, toolUseId, answer);
}

/** The event that answers a call: its `parentid` is the whole id of the event of the call. Pure. */
export function answerOfEvent(state: AgentState, given: unknown): Answered {
  try {
    const { parentid = '', subject, type, dataschema, data, executionunits, holdfastspent } = checkEvent(given);
    const call = state.batch.find(({ service }) => service?.ref === parentid);
    if (call === undefined) return { ...aboutNoCall(state, parentid), detail: type.slice(0, 200) };
    const { toolUseId } = call;
    if (subject !== state.id) return { ...strange(toolUseId), detail: `subject ${subject}`.slice(0, 200) };
    return accepted(state, toolUseId, {
      type,
      data,
      ...defined({ dataschema, executionUnits: executionunits, spent: reportInEvent(holdfastspent) }),
    });
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    return { why: error.type, detail: error.message.slice(0, 500) };
  }
}

function accepted(state: AgentState, toolUseId: string, answer: ServiceAnswer): Answered {
  const call = callOf(state, toolUseId);
  const service = call?.service;
  // A child workflow answers by its result. Messages in its name are not trusted.
  if (service?.kind === 'child' || service?.kind === 'agent') return strange(toolUseId);
  if (service?.status === 'answered') return { why: 'DoubleAnswer', toolUseId };
  if (call?.status === 'settled' || wasCalled(state, toolUseId)) return { why: 'LateAnswer', toolUseId };
  return service === undefined ? strange(toolUseId) : { toolUseId, answer };
}

/**
 * Why a key names no service call of the batch. It belongs to a call that is over, to another run, or to a call that
 * had the same id in an earlier run of a schedule, before a retry of the workflow or before a reset.
 */
function aboutNoCall(state: AgentState, key: string): Answered {
  const { chainId, toolUseId } = partsOfKey(key) ?? {};
  if (toolUseId === undefined) return strange(key.slice(key.lastIndexOf('/') + 1));
  const call = callOf(state, toolUseId);
  if (call !== undefined && key === idempotencyKey(state, call)) {
    const why = accepted(state, toolUseId, {});
    // The call waits for its answer, but this one names another call beside the key.
    return 'why' in why ? why : strange(toolUseId);
  }
  if (call !== undefined) return { why: 'OutdatedAnswer', toolUseId };
  if (!wasCalled(state, toolUseId)) return strange(toolUseId);
  return { why: chainId === state.chainId ? 'LateAnswer' : 'OutdatedAnswer', toolUseId };
}

/** Whether the call belongs to an earlier batch. */
function wasCalled({ messages, batch }: AgentState, toolUseId: string): boolean {
  if (batch.some((call) => call.toolUseId === toolUseId)) return false;
  return messages.some(({ parts }) => parts.some((part) => part.type === 'tool_use' && part.toolUseId === toolUseId));
}

function strange(toolUseId: string): { why: string; toolUseId: string } {
  return { why: 'StrangeAnswer', toolUseId: toolUseId.slice(0, 100) };
}
