import { McpConnections } from '../../../../activities/mcp/connections';
import { discoverTools } from '../../../../activities/mcp/discover';

/**
 * A separate process, since Node reads NODE_EXTRA_CA_CERTS when it starts. Prints the names of the tools, or the error.
 */
async function main(url: string): Promise<void> {
  const connections = new McpConnections();
  const said = await discoverTools(connections, 's', { url }).then(
    (tools) => tools.map(({ name }) => name).join(),
    (error: Error) => error.message,
  );
  await connections.close();
  process.stdout.write(said);
}

void main(process.argv[2] ?? '');
