import { type Agent, defineAgent, defineTool } from 'holdfast';
import { type GatewayConfig, gatewayOf, type ServedGateway, serveGateway } from 'holdfast/server';
import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { z } from 'zod';
import { SILENT_LOG } from '../../../runtime/log';

/** An agent with a tool that reads, one that needs a person, and a question. */
export const desk = defineAgent({
  name: 'support.desk',
  description: 'Helps with orders',
  mode: 'conversation',
  instructions: 'Help.',
  loopTools: ['ask_question'],
  tools: {
    look: defineTool({
      description: 'Look up an order',
      effect: 'read',
      inputSchema: z.object({ id: z.string() }),
      execute: async ({ id }) => ({ id, state: 'sent' }),
    }),
    refund: defineTool({
      description: 'Refund an order',
      inputSchema: z.object({ amount: z.number() }),
      approval: 'always',
      execute: async ({ amount }) => `refunded ${amount}`,
      undo: async ({ amount }) => `took back ${amount}`,
    }),
  },
});

export const triage = defineAgent({
  name: 'support.triage',
  instructions: 'Sort.',
  inputSchema: z.object({ mail: z.string() }),
  outputSchema: z.object({ queue: z.string() }),
});

export const TOKEN = 'token-of-this-machine';

export interface GatewayKit {
  kit: AgentTestEnvironment;
  served: ServedGateway;
  url: string;
  /** A request as the person at this machine, or with another token. */
  request(path: string, init?: RequestInit & { token?: string | null; json?: unknown }): Promise<Response>;
  close(): Promise<void>;
}

/** A dev server, a worker and a gateway on a free port. */
export async function startGatewayKit(
  config: Partial<GatewayConfig> = {},
  agents: readonly Agent[] = [desk, triage] as readonly Agent[],
): Promise<GatewayKit> {
  const kit = await createAgentTestEnvironment({ agents, server: 'dev' });
  const served = await serveGateway({
    client: kit.client,
    agents,
    config: { ...gatewayOf(), port: 0, ...config },
    localToken: TOKEN,
    user: 'ann',
    log: SILENT_LOG,
    page: null,
  });
  return {
    kit,
    served,
    url: served.url,
    request: (path, { token = TOKEN, json, ...init } = {}) =>
      fetch(`${served.url}${path}`, {
        ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
        ...init,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...init.headers,
        },
      }),
    async close() {
      await served.close();
      await kit.close();
    },
  };
}
