import { Client, Connection } from '@temporalio/client';
import { type Agent, agentService, defineAgent, defineContract, defineTool, signalService } from 'holdfast';
import { AgentClient } from 'holdfast/client';
import {
  type GatewayConfig,
  gatewayOf,
  newKey,
  type ServedGateway,
  type ServeOptions,
  serveGateway,
} from 'holdfast/server';
import { type AgentTestEnvironment, createAgentTestEnvironment, type TestEnvironmentOptions } from 'holdfast/testing';
import { z } from 'zod';
import { SILENT_LOG } from '../../../runtime/log';
import { signWebhook } from '../../../runtime/webhook-signature';

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

const place = defineContract({
  type: 'place.find',
  description: 'Where the user is',
  versions: { '1.0.0': { accepts: z.object({}), emits: { 'evt.place.find.success': z.object({ city: z.string() }) } } },
});

/** Works for another agent. */
export const clerk = defineAgent({
  name: 'support.clerk',
  inputSchema: z.object({ text: z.string() }),
  instructions: 'Work.',
  loopTools: ['ask_question'],
  tools: {
    pay: defineTool({
      description: 'Pay',
      inputSchema: z.object({ amount: z.number() }),
      approval: 'always',
      execute: async ({ amount }) => `paid ${amount}`,
    }),
  },
});

export const triage = defineAgent({
  name: 'support.triage',
  instructions: 'Sort.',
  inputSchema: z.object({ mail: z.string() }),
  outputSchema: z.object({ queue: z.string() }),
});

/** An agent between two others. */
export const manager = defineAgent({
  name: 'support.manager',
  inputSchema: z.object({ text: z.string() }),
  instructions: 'Manage.',
  services: { clerk: agentService(clerk) },
});

/** An agent whose own agents need a person, and which has a tool that its reader answers. */
export const boss = defineAgent({
  name: 'support.boss',
  mode: 'conversation',
  instructions: 'Delegate.',
  tools: {
    sign: defineTool({
      description: 'Sign',
      inputSchema: z.object({}),
      approval: 'always',
      execute: async () => 'signed',
    }),
  },
  services: { desk: agentService(clerk), manage: agentService(manager), locate: signalService(place, '1.0.0') },
});

/** An agent whose calls run one after the other, some with an approval. */
export const mover = defineAgent({
  name: 'support.mover',
  mode: 'conversation',
  instructions: 'Move.',
  execution: 'serial',
  tools: {
    move: defineTool({
      description: 'Move',
      inputSchema: z.object({ to: z.string() }),
      approval: 'always',
      execute: async ({ to }) => `moved to ${to}`,
    }),
    note: defineTool({ description: 'Note', inputSchema: z.object({}), execute: async () => 'noted' }),
  },
});

export const AGENTS = [desk, triage, clerk, manager, boss, mover] as unknown as readonly Agent[];

export const TOKEN = 'token-of-this-machine';

/** How a request of a test differs from that of the person at this machine. */
export type TestRequest = RequestInit & { token?: string | null; json?: unknown };

export interface ServedKit {
  served: ServedGateway;
  url: string;
  /** A request as the person at this machine, or with another token. */
  request(path: string, init?: TestRequest): Promise<Response>;
  close(): Promise<void>;
}

export interface GatewayKit extends ServedKit {
  kit: AgentTestEnvironment;
}

type Options = Partial<Omit<ServeOptions, 'config'>> & { config?: Partial<GatewayConfig> };
type KitOptions = Options & Pick<TestEnvironmentOptions, 'outlets'>;

/** A dev server, a worker and a gateway on a free port. */
export async function startGatewayKit(
  config: Partial<GatewayConfig> = {},
  { outlets = {}, ...options }: KitOptions = {},
): Promise<GatewayKit> {
  const kit = await createAgentTestEnvironment({ agents: options.agents ?? AGENTS, server: 'dev', outlets });
  const gateway = await serveKit(kit.client, { ...options, config });
  return {
    ...gateway,
    kit,
    async close() {
      await gateway.close();
      await kit.close();
    },
  };
}

/** Another gateway to the same runs. */
export async function serveKit(client: AgentClient, { config, ...options }: Options = {}): Promise<ServedKit> {
  const served = await serveGateway({
    client,
    agents: AGENTS,
    localToken: TOKEN,
    user: 'ann',
    log: SILENT_LOG,
    page: null,
    ...options,
    // Tests look often.
    config: { ...gatewayOf({ limits: { requests: 1_000_000 } }), port: 0, ...config },
  });
  return {
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
    close: () => served.close(),
  };
}

/** A gateway whose Temporal server is away: whatever it answers, it answers by itself. */
export async function serveAlone(options: Options = {}): Promise<ServedKit> {
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  const gateway = await serveKit(new AgentClient(new Client({ connection })), options);
  return {
    ...gateway,
    async close() {
      await gateway.close();
      await connection.close();
    },
  };
}

/** A key and its entry in the configuration. */
export function keyFor(
  user: string,
  scopes: GatewayConfig['keys'][number]['scopes'],
  tenant = 'acme',
): { token: string; entry: GatewayConfig['keys'][number] } {
  const { key, hash } = newKey();
  return { token: key, entry: { name: `${tenant} ${user}`, hash, tenant, user, scopes } };
}

/** Status and body of an answer; `body` is there if it is JSON. */
export async function read<Body = { error: { type: string; message: string } }>(
  answer: Promise<Response>,
): Promise<{ status: number; body: Body; text: string }> {
  const response = await answer;
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, body: (isJson ? JSON.parse(text) : undefined) as Body, text };
}

/** Reads a stream of events until one fits, or to its end. */
export async function events(
  answer: Promise<Response>,
  isLast: (event: StreamEvent) => boolean = () => false,
): Promise<StreamEvent[]> {
  const { body } = await answer;
  const found: StreamEvent[] = [];
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of body ?? []) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
      if (fields.data === undefined) continue;
      found.push({ ...fields, data: fields.data === '[DONE]' ? {} : JSON.parse(fields.data) } as StreamEvent);
      if (isLast(found.at(-1) as StreamEvent)) return found;
    }
  }
  return found;
}

/** An event of a stream. */
export interface StreamEvent {
  id?: string;
  event?: string;
  data: { [name: string]: unknown };
}

/** The headers of a webhook, signed now or at another time. */
export function signedHeaders(secret: string, body: string, timestamp = String(Math.floor(Date.now() / 1000))) {
  const signature = signWebhook(secret, { id: 'w1', timestamp, body });
  return { 'webhook-id': 'w1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}
