import { HoldfastError } from '../agent/errors/error';
import { defined } from '../agent/values/defined';
import type { AgentClient } from '../client/agent-client';
import { gatewayOf, isLoopback, newKey, serveGateway } from '../client/gateway';
import { loadConfig } from '../runtime/config/config';
import { say } from '../runtime/print';
import { isNotFound } from '../runtime/temporal/not-found';
import { loadAgents, noAgents } from '../workers/load/load-agents';
import { doorOf, type GatewayMessage, tokenOf } from './gateway-child';
import { withClient } from './with-client';

export interface ServeCommandOptions {
  config?: string;
  host?: string;
  port?: number;
}

/** `holdfast serve`: the HTTP server until it is told to stop. */
export async function serve({ config: path, host, port }: ServeCommandOptions): Promise<number> {
  const config = await loadConfig(defined({ path }));
  if (config.agents.length === 0) throw noAgents(config);
  const agents = await loadAgents(config);
  const webUi = config.gateway?.webUi ?? process.env.HOLDFAST_WEB_UI;
  const gateway = { ...(config.gateway ?? gatewayOf()), ...defined({ host, port, webUi }) };
  return withClient(config, async (client) => {
    await refuseMissingNamespace(client);
    const localToken = isLoopback(gateway.host) ? tokenOf(process.env) : undefined;
    const served = await serveGateway({
      client,
      agents,
      config: gateway,
      heartbeatInterval: config.worker.heartbeatInterval,
      localToken,
      ...defined({ file: config.file }),
    });
    say(...linesOf(served.url, localToken));
    process.send?.({ type: 'gateway.ready', url: served.url } satisfies GatewayMessage);
    await told();
    say('Stopping …');
    await served.close();
    return 0;
  });
}

/** Without it, each request of each caller would fail. A key that may not describe namespaces may serve one. */
async function refuseMissingNamespace({ temporal }: AgentClient): Promise<void> {
  const { namespace } = temporal.options;
  await temporal.workflowService.describeNamespace({ namespace }).catch((error: unknown) => {
    if (isNotFound(error)) throw new HoldfastError('NamespaceNotFound', { namespace });
  });
}

function linesOf(url: string, token: string | undefined): string[] {
  if (token === undefined) return [`Holdfast serves at ${url}. Callers need a key or a token of its configuration.`];
  return [
    `Open    ${doorOf(url, token)}`,
    '        Keep this address to yourself: with it anyone can act for you. Ctrl-C ends the server; runs go on.',
  ];
}

function told(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

/** `holdfast key`: a new API key, and what the configuration keeps of it. */
export async function key(): Promise<number> {
  const made = newKey();
  say(
    `Key     ${made.key}`,
    '        It is shown only now. Keep it where its caller keeps secrets.',
    `Hash    ${made.hash}`,
  );
  say('        Put this into `gateway.keys` of temporal.yaml, with name, tenant and scopes.');
  return 0;
}
