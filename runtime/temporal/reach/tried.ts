import type { TriedServer } from '../../../agent/errors/tried-server';
import { defined } from '../../../agent/values/defined';
import type { TemporalConfig } from '../../config/temporal';

/** What a connection needs of a configuration; errors name its file. */
export interface Reachable {
  temporal: TemporalConfig;
  file?: string;
}

/** How a server is tried, for errors. */
export function triedServer({ temporal, file }: Reachable): TriedServer {
  const { address, addressFrom, tls, tlsFrom, apiKeyFrom } = temporal;
  return { address, tls: tls !== undefined && tls !== false, ...defined({ addressFrom, tlsFrom, apiKeyFrom, file }) };
}
