import { isGrpcServiceError } from '@temporalio/client';
import type { PendingApproval } from '../agent/approval';
import type { AgentClient } from '../client/agent-client';
import { registerAttributesCommand } from './register-attributes';

/** What the inbox is narrowed by. */
export interface InboxFilter {
  agent?: string;
  owner?: string;
  /** One run and the agents that work for it; needs no search attributes. */
  run?: string;
}

/** INVALID_ARGUMENT: the query names an attribute that the namespace does not have. */
const INVALID = 3;

/** The calls that wait, or what has to be done before they can be found. */
export type Waiting = { calls: PendingApproval[] } | { problem: string };

/**
 * All calls that wait for a person, the oldest first.
 * @throws HoldfastError `RunNotFound`, `NoWorker`, `NoServer`
 */
export async function waitingCalls(client: AgentClient, { run, agent, owner }: InboxFilter): Promise<Waiting> {
  if (run !== undefined) {
    const calls = await client.get(run).pending();
    const fits = (call: PendingApproval) =>
      (agent === undefined || call.agent === agent) && (owner === undefined || call.owner === owner);
    return { calls: calls.filter(fits).sort((a, b) => a.requestedAt - b.requestedAt) };
  }
  try {
    const filter = { ...(agent === undefined ? {} : { agent }), ...(owner === undefined ? {} : { owner }) };
    return { calls: await client.pending(filter) };
  } catch (error) {
    if (!isUnregistered(error)) throw error;
    const { namespace } = client.temporal.options;
    const problem = `Waiting runs cannot be found: the namespace \`${namespace}\` has no search attribute \`HoldfastAwaiting\`. Register them with \`${registerAttributesCommand(namespace)}\` and restart the workers: runs that start after that are listed. \`holdfast inbox --run <id>\` works without.`;
    return { problem };
  }
}

function isUnregistered(error: unknown): boolean {
  const grpc = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(grpc) && grpc.code === INVALID && /Holdfast(Awaiting|Agent|Owner)/.test(grpc.details);
}
