import { defined } from '../agent/values/defined';
import { AgentClient } from '../client/agent-client';
import { type Config, loadConfig } from '../runtime/config/config';

/**
 * Connects for the duration of a command, with a configuration or the path of one.
 * @throws HoldfastError `NoServer`, `InvalidConfig`
 */
export async function withClient<T>(
  given: Config | string | undefined,
  work: (client: AgentClient, config: Config) => Promise<T>,
): Promise<T> {
  const config = typeof given === 'object' ? given : await loadConfig(defined({ path: given }));
  const client = await AgentClient.connect({ config, bus: 'local' });
  try {
    return await work(client, config);
  } finally {
    await client.close();
  }
}
