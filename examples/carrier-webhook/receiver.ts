import { type AgentClient, readWebhook } from 'holdfast/client';
import { listen } from './listen';

/** Receives the carrier's answers. Each goes to the run that its subject names. */
export function startReceiver(secret: string, client: () => AgentClient) {
  return listen(({ headers, body }) => client().completeService(readWebhook({ headers, body, secret })));
}
