import { HoldfastError } from '../agent/error';
import { checkEvent } from '../agent/event';
import { isJsonObject } from '../agent/json';
import type { AgentState, ServiceAnswer } from '../agent/state';
import { idempotencyKey } from './idempotency-key';

/** What a message about a service settles; or why it changes nothing. */
export type Answered =
  | { toolUseId: string; answer: ServiceAnswer }
  | { why: string; toolUseId?: string; detail?: string };

/** `{toolUseId, data | error}`, as whoever did the work signals it. Pure. */
export function answerOfToolResult(state: AgentState, given: unknown): Answered {
  const invalid = (detail: string): Answered => ({ why: 'InvalidToolResult', detail });
  if (!isJsonObject(given)) return invalid('Expected `{"toolUseId": …, "data": …}` or `{"toolUseId": …, "error": …}`');
  const { toolUseId, data } = given;
  // Some senders write every field that there is.
  const error = given.error ?? undefined;
  if (typeof toolUseId !== 'string') return invalid('Expected `toolUseId` to be a text');
  if ((data === undefined) === (error === undefined)) return invalid('Expected either `data` or `error`');
  const answer: ServiceAnswer =
    error === undefined ? { data: data ?? null } : { error: typeof error === 'string' ? error : JSON.stringify(error) };
  return accepted(state, toolUseId, answer);
}

/** The event that answers a call: its `parentid` names the event of the call, which ends in the `toolUseId`. Pure. */
export function answerOfEvent(state: AgentState, given: unknown): Answered {
  try {
    const { parentid = '', subject, type, dataschema, data, executionunits } = checkEvent(given);
    const toolUseId = parentid.slice(parentid.lastIndexOf('/') + 1);
    const call = state.awaiting.find(({ service }) => service?.ref === parentid);
    if (call === undefined) {
      const own = parentid === idempotencyKey(state, toolUseId);
      return { ...(own ? accepted(state, toolUseId, {}) : strange(toolUseId)), detail: type.slice(0, 200) };
    }
    if (subject !== state.id) return { ...strange(toolUseId), detail: `subject ${subject}`.slice(0, 200) };
    return accepted(state, toolUseId, {
      type,
      data,
      ...(dataschema === undefined ? {} : { dataschema }),
      ...(executionunits === undefined ? {} : { executionUnits: executionunits }),
    });
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    return { why: error.type, detail: error.message.slice(0, 500) };
  }
}

function accepted(state: AgentState, toolUseId: string, answer: ServiceAnswer): Answered {
  const call = state.awaiting.find((awaited) => awaited.toolUseId === toolUseId);
  const service = call?.service;
  // A child workflow answers by its result; who speaks for it is not believed.
  if (service?.way === 'child' || service?.way === 'agent') return strange(toolUseId);
  if (service?.answer !== undefined) return { why: 'DoubleAnswer', toolUseId };
  if (call?.outcome !== undefined || wasCalled(state, toolUseId)) return { why: 'LateAnswer', toolUseId };
  return service === undefined ? strange(toolUseId) : { toolUseId, answer };
}

/** Of an earlier batch. */
function wasCalled({ messages, awaiting }: AgentState, toolUseId: string): boolean {
  if (awaiting.some((call) => call.toolUseId === toolUseId)) return false;
  return messages.some(({ parts }) => parts.some((part) => part.type === 'tool_use' && part.toolUseId === toolUseId));
}

function strange(toolUseId: string): { why: string; toolUseId: string } {
  return { why: 'StrangeAnswer', toolUseId: toolUseId.slice(0, 100) };
}
