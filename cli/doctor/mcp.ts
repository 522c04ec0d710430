import { tryAuth } from '../../activities/mcp/try-auth';
import type { Agent } from '../../agent/define/agent-definition';
import { isHttpServer, type McpHttpServer, type McpStdioServer } from '../../agent/define/mcp-server';
import { findProgram } from '../../runtime/binaries/mcp-programs';
import type { Config } from '../../runtime/config/config';
import type { Finding, Tell } from './finding';

/** Checks that the programs of MCP servers are here, that those over HTTP answer, and that tokens can be had for them. */
export async function checkMcp(tell: Tell, { mcp }: Config, agents: readonly Agent[]): Promise<void> {
  const servers = new Map(Object.entries(mcp).map(([alias, server]) => [alias, server]));
  for (const { name, definition } of agents) {
    for (const [key, server] of Object.entries(definition.mcp ?? {})) {
      if (typeof server !== 'string') servers.set(`${name}/${key}`, server);
      else if (!servers.has(server)) {
        const todo = `add \`${server}\` under \`mcp\` in temporal.yaml`;
        tell({ state: 'missing', what: `mcp ${server}`, found: `agent ${name} names it, nothing defines it`, todo });
      }
    }
  }
  for (const [alias, server] of servers) {
    const finding = isHttpServer(server) ? await reach(server) : await programOf(server);
    tell({ what: `mcp ${alias}`, ...finding });
  }
}

async function programOf(server: McpStdioServer): Promise<Omit<Finding, 'what'>> {
  const path = await findProgram(server);
  if (path !== undefined) return { state: 'ok', found: path };
  return { state: 'missing', found: `no program \`${server.command}\``, todo: 'install it, or correct `command`' };
}

/** Milliseconds within which a server has to send any answer. */
const REACH_TIME = 5000;

/** Any answer counts: servers differ in how they answer a request that is not MCP. */
async function reach(server: McpHttpServer): Promise<Omit<Finding, 'what'>> {
  const { url, headers = {}, auth } = server;
  // The query is left out, since it may contain keys.
  const shown = `${new URL(url).origin}${new URL(url).pathname}`;
  const unset = Object.values(headers).flatMap((value) =>
    typeof value === 'object' && !process.env[value.env] ? [value.env] : [],
  );
  if (unset.length > 0) {
    return { state: 'missing', found: `${shown}, \`${unset[0]}\` is not set`, todo: 'set it where the worker runs' };
  }
  const response = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(REACH_TIME),
  }).catch(() => undefined);
  if (response === undefined) {
    return { state: 'missing', found: `${shown} does not answer`, todo: 'start it, or correct its `url`' };
  }
  await response.body?.cancel();
  if (auth === undefined) {
    const isRefused = response.status === 401 && Object.keys(headers).length === 0;
    if (!isRefused) return { state: 'ok', found: `${shown}, answers` };
    const todo = 'set `auth` with a client of its authorization server, or a token in `headers`';
    return { state: 'missing', found: `${shown} wants credentials (HTTP 401)`, todo };
  }
  const failed = await tryAuth(server, response);
  if (failed === undefined) return { state: 'ok', found: `${shown}, answers, and \`${auth.clientId}\` gets a token` };
  return { state: 'missing', found: `${shown}: ${failed.problem}`, todo: failed.advice };
}
