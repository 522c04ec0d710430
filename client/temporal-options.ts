import type { ClientOptions } from '@temporalio/client';
import { type Known, type TemporalOptions, temporalOptions } from '../runtime/temporal/options';

/** Temporal's own options of a client. For other ones, make `AgentClient` with a Temporal client of your own. */
export interface ClientTemporalOptions extends TemporalOptions {
  /** Interceptors of the client's calls, in the form of Temporal's `ClientOptions`. */
  interceptors?: NonNullable<ClientOptions['interceptors']>;
  /** Names this client in histories. Default: process and host. */
  identity?: string;
}

const KNOWN: Known = {
  taken: ['identity', 'interceptors.workflow', 'interceptors.schedule', 'interceptors.activity', 'interceptors.nexus'],
  refused: {
    namespace: 'use the setting `temporal.namespace` of temporal.yaml',
    connection: 'make `AgentClient` with a Temporal client of your own',
  },
};

/**
 * Temporal's own options of a client, checked.
 * @throws HoldfastError `InvalidDefinition` for unsupported options, by name
 */
export function clientTemporalOptions(given: ClientTemporalOptions | undefined) {
  return temporalOptions(given, KNOWN);
}
