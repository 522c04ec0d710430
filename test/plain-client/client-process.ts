import { AgentClient, HoldfastError } from '../../client';
import { loadConfig } from '../../runtime/config/config';

/** Prints the modules of a process that only ever names its agents. */
async function main(): Promise<void> {
  const config = await loadConfig({ cwd: '/', env: { TEMPORAL_ADDRESS: '127.0.0.1:1' } });
  const connected = await AgentClient.connect({ config }).then(
    () => 'connected',
    (error: unknown) => (error instanceof HoldfastError ? error.type : String(error)),
  );
  process.stdout.write(JSON.stringify({ loaded: Object.keys(require.cache), connected }));
}

void main();
