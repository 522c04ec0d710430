import { createStore, useStore } from '../api/store';
import type { ServerInfo } from '../api/types';

/** What is behind the server, as far as it is known. */
export const serverInfo = createStore<ServerInfo | undefined>(undefined);

/** The address of a run in Temporal's Web UI. */
export function useWebUi(id: string): string | undefined {
  const webUi = useStore(serverInfo)?.webUi;
  return webUi === undefined ? undefined : `${webUi}${encodeURIComponent(id)}`;
}
