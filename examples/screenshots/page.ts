import { randomBytes } from 'node:crypto';
import type { Log } from 'holdfast';
import { AgentClient } from 'holdfast/client';
import { gatewayOf, type ServedGateway, serveGateway } from 'holdfast/server';
import type { DevTree } from 'holdfast/worker';
import { assistant, screenshots } from './agents';

/** Serves the page for the agents of this example, at its usual port or at a free one. */
export async function openPage(
  { config, server }: DevTree,
  log: Log | undefined,
): Promise<{ address: string; close(): Promise<void> }> {
  const client = await AgentClient.connect({
    config: { ...config, temporal: { ...config.temporal, address: server.address } },
  });
  const localToken = process.env.HOLDFAST_TOKEN || randomBytes(24).toString('base64url');
  const serve = (port: number): Promise<ServedGateway> =>
    serveGateway({
      client,
      agents: [assistant, screenshots],
      config: { ...gatewayOf(), ...config.gateway, port, webUi: server.uiUrl },
      localToken,
      ...(log === undefined ? {} : { log }),
    });
  const { port } = gatewayOf();
  const served = await serve(port).catch((error: { type?: string }) => {
    if (error.type !== 'PortTaken') throw error;
    return serve(0);
  });
  return {
    address: `${served.url}/#token=${localToken}`,
    async close() {
      await served.close();
      await client.close();
    },
  };
}
