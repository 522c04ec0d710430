import { callMcpTool } from '../../../../../activities/mcp/call-tool';
import { McpConnections } from '../../../../../activities/mcp/connections';
import { discoverTools } from '../../../../../activities/mcp/discover';
import type { McpHttpServer } from '../../../../../agent/define/mcp-server';
import { closeAfterTest } from '../../../../close-after-test';
import { CLIENT, oauthServer } from '../../../../fixtures/mcp/oauth-server';
import { specOf } from '../../servers';

type Spec = Awaited<ReturnType<typeof specOf>>;

interface Served {
  server: Awaited<ReturnType<typeof oauthServer>>;
  connections: McpConnections;
  definition: McpHttpServer;
  call(spec: Spec): ReturnType<typeof callMcpTool>;
  spec(): Promise<Spec>;
  /** Why the server cannot be used, and what to do. */
  refusal(other?: McpHttpServer): Promise<{ problem: string; advice: string }>;
}

/** A server that wants tokens, and a worker that has the credentials of a client. */
export async function serve(settings: Parameters<typeof oauthServer>[0] = {}, auth: object = {}): Promise<Served> {
  const server = closeAfterTest(await oauthServer(settings));
  const connections = closeAfterTest(new McpConnections());
  const definition: McpHttpServer = { url: server.url, auth: { ...CLIENT, issuer: server.issuer, ...auth } };
  const { signal } = new AbortController();
  const call = async (spec: Spec) => callMcpTool(connections, definition, spec, {}, { signal });
  const spec = () => specOf(connections, definition, 'work');
  const refusal = async (other: McpHttpServer = definition): Promise<{ problem: string; advice: string }> =>
    discoverTools(connections, 's', other).then(
      () => Promise.reject(new Error('It can be used')),
      ({ data }) => ({ problem: data.problem, advice: data.advice }),
    );
  return { server, connections, definition, call, spec, refusal };
}

/** What a call gives that has run. */
export const WORKED = { content: [{ type: 'text', text: 'worked' }] };
