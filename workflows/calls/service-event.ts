import type { ServiceEvent } from '../../agent/protocol/event';
import type { ServiceSpec } from '../../agent/protocol/service-spec';
import { traceparentOf } from '../../agent/protocol/trace';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import type { JsonObject } from '../../agent/values/json';
import { writeLineage } from '../run/lineage';
import { idempotencyKey, type ToolCall } from '../state/selectors/calls';

/** A call of a service, with the service as it was pinned. */
export interface ServiceCall<Spec extends ServiceSpec = ServiceSpec> extends ToolCall {
  service: Spec;
  /** The arguments, with the subject of the run where the contract wants it. */
  data: JsonObject;
  /** Where the answer is expected from. */
  ref: string;
}

/** The event of a call. Its id, the `parentid` of the answer, is the idempotency key, which ends in the `toolUseId`. */
export function eventOf(state: AgentState, served: ServiceCall): ServiceEvent {
  const { id, agent, initiator } = state;
  const { call, service, data } = served;
  const { contract, domain } = service;
  const to = service.kind === 'event' ? service.to : contract.accepts;
  const { accesscontrol, tracestate } = initiator ?? {};
  const traceparent = traceparentOf(state, call.toolUseId);
  return {
    specversion: '1.0',
    id: idempotencyKey(state, call),
    source: `holdfast/${agent}`,
    subject: id,
    type: contract.accepts,
    time: new Date(Date.now()).toISOString(),
    datacontenttype: 'application/json',
    dataschema: `${contract.uri}/${contract.version}`,
    data,
    to,
    holdfastlineage: writeLineage(state),
    ...defined({ domain, accesscontrol, traceparent, tracestate }),
  };
}
