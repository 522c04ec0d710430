import type { McpHttpServer } from '../../agent/define/mcp-server';
import { withoutSecrets } from './secrets';
import { ServerFailure } from './server-failure';

// As for connections: the SDK is loaded only where it is needed.
const loadAuth = () => require('./client/auth/client-credentials') as typeof import('./client/auth/client-credentials');

/**
 * Gets a token for a server with `auth`, as a worker would.
 * @param response any of the server, which may say where its metadata are
 * @returns why there is none, and what to do; no secrets are in it
 */
export async function tryAuth(
  definition: McpHttpServer,
  response: Response,
): Promise<{ problem: string; advice: string } | undefined> {
  try {
    await loadAuth().credentialsFor(definition)?.obtain(response);
    return undefined;
  } catch (error) {
    if (!(error instanceof ServerFailure)) throw error;
    const { problem, advice = '' } = error;
    return { problem: withoutSecrets(problem, definition), advice: withoutSecrets(advice, definition) };
  }
}
