import { HoldfastError } from '../errors/error';
import { BYTES } from '../limits';
import { isJsonObject, type Json, jsonBytes } from '../values/json';
import { isNestedDeeper, MAX_DEPTH } from '../values/json-depth';

/**
 * A CloudEvents 1.0 event with the extensions that services pass on. It is sent to a service, and the service answers
 * with one.
 */
export interface ServiceEvent {
  /** Version of CloudEvents. */
  specversion: '1.0';
  /** Unique for its source. For a call of a run: its idempotency key, which ends in the `toolUseId`. */
  id: string;
  /** The sender. */
  source: string;
  /** The id of the run that waits. */
  subject: string;
  /** The event type, such as `com.stock.check` or `evt.stock.check.success`. */
  type: string;
  /** When it was sent, RFC 3339. Empty if the sender does not set it. */
  time: string;
  /** Always JSON. */
  datacontenttype: 'application/json';
  /** The contract's `uri`, `/` and its version. */
  dataschema?: string;
  /** The payload. */
  data: Json;
  /** The receiver. */
  to?: string;
  /** Who may see it. Passed on unchanged. */
  accesscontrol?: string;
  /** The receiver of the answer, if it is not the sender. */
  redirectto?: string;
  /** Its cost in execution units. */
  executionunits?: number;
  /** The `id` of the event that this one answers. */
  parentid?: string;
  /** Where it is handled. */
  domain?: string;
  /** W3C Trace Context. */
  traceparent?: string;
  /** W3C Trace Context. */
  tracestate?: string;
  /**
   * Agents that wait for the answer, the first one first, joined by commas. Pass it on with the event: a run started by
   * the event uses it to detect that it would wait for itself.
   */
  holdfastlineage?: string;
  /** The completion event of an agent that works for another one: what its run has used, as JSON. */
  holdfastspent?: string;
}

/** The subject of the caller, which a contract may require. It is hidden from models and filled in by the run. */
export const PARENT_SUBJECT = 'parentSubject$$';

/** An event as passed by callers. Fields that are the same in every event may be left out. */
export type GivenEvent = Omit<ServiceEvent, 'time' | 'datacontenttype'> &
  Partial<Pick<ServiceEvent, 'time' | 'datacontenttype'>>;

const TEXTS = [
  'time',
  'datacontenttype',
  'dataschema',
  'to',
  'accesscontrol',
  'redirectto',
  'parentid',
  'domain',
  'traceparent',
  'tracestate',
  'holdfastlineage',
  'holdfastspent',
] as const;

/**
 * Checks an event from outside and drops fields that are `null`, which some senders write.
 * @throws HoldfastError `InvalidEvent`
 */
export function checkEvent(given: unknown): ServiceEvent {
  if (!isJsonObject(given)) return refuse('Expected a CloudEvent in structured mode, a JSON object');
  const event = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  if (event.specversion !== '1.0') refuse("Expected `specversion` to be '1.0'");
  for (const field of ['id', 'source', 'subject', 'type'] as const) {
    if (typeof event[field] !== 'string' || event[field] === '') refuse(`Expected \`${field}\` to be a string`);
  }
  for (const field of TEXTS) {
    if (event[field] !== undefined && typeof event[field] !== 'string') refuse(`Expected \`${field}\` to be a string`);
  }
  const { executionunits: units, datacontenttype: type } = event;
  if (units !== undefined && !Number.isFinite(units)) refuse('Expected `executionunits` to be a number');
  if (typeof type === 'string' && !/json/i.test(type)) refuse(`Expected data as JSON, got \`${type}\``);
  // Otherwise it would be taken as an event without data.
  if (event.data_base64 !== undefined) refuse('Expected `data` as JSON, got `data_base64`');
  // The limit is for each field: the event itself is one level more.
  if (isNestedDeeper(event, MAX_DEPTH + 1)) refuse(`It is nested deeper than ${MAX_DEPTH} levels`);
  const bytes = jsonBytes(event);
  if (bytes > BYTES.answer) {
    refuse(`It is ${bytes} bytes, more than the limit of ${BYTES.answer}; send a reference to larger data`);
  }
  return {
    time: '',
    ...event,
    datacontenttype: 'application/json',
    data: given.data ?? null,
  } as unknown as ServiceEvent;
}

function refuse(problem: string): never {
  throw new HoldfastError('InvalidEvent', { problem });
}
