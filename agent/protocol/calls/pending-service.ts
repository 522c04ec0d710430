import type { JsonObject } from '../../values/json';
import type { ServiceSpec } from '../service-spec';

/** A call of a service whose answer a run waits for. Times are milliseconds since 1970. */
export interface PendingService {
  /** The run that waits. */
  id: string;
  /** Its agent. */
  agent: string;
  /** Id of the call. */
  toolUseId: string;
  /** Canonical name of the tool. */
  tool: string;
  /** The arguments. */
  input: JsonObject;
  /** How it was reached. */
  kind: ServiceSpec['kind'];
  /** Id of the child workflow, or of the event that was sent. The `parentid` of an answer must equal it. */
  ref: string;
  /** When it was called. */
  since: number;
  /** When the run stops waiting. Missing: never. */
  expiresAt?: number;
  /** The domain that the call went to, where the service names several. */
  domain?: string;
}
