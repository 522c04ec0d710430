import type { Mode } from '../agent/define/agent-definition';
import { visible } from '../agent/values/visible';
import type { AgentClient } from '../client/agent-client';
import { queueOf } from '../client/requests/no-worker';
import type { HandleOf } from '../client/runs/handle-of';
import { warn } from '../runtime/print';
import { silenceOf } from './doctor/diagnose';
import { oneLine } from './lines/facts/fact-line';
import { withClient } from './with-client';

/** Milliseconds without an answer before a line says why. */
const PATIENCE = 2000;

/**
 * Connects for a command about one run, which a worker has to answer. While none does, a line says why.
 * @throws HoldfastError `NoServer`, `InvalidConfig`
 */
export function withRun<T, M extends Mode = 'task'>(
  config: string | undefined,
  id: string,
  work: (run: HandleOf<unknown, M>, client: AgentClient) => Promise<T>,
): Promise<T> {
  return withClient(config, (client) => sayWhySilent(client, id, work(client.get<unknown, M>(id), client)));
}

async function sayWhySilent<T>({ temporal }: AgentClient, id: string, work: Promise<T>): Promise<T> {
  const { namespace } = temporal.options;
  let said: string | undefined;
  let over = false;
  const look = async () => {
    const problem = await silenceOf(temporal, id, { namespace, taskQueue: await queueOf(temporal, id) });
    if (over || problem === undefined || problem === said) return;
    said = problem;
    warn(`wait  ${oneLine(visible(problem))}`);
  };
  // If the server is gone, the command itself ends with that.
  const silent = setInterval(() => look().catch(() => undefined), PATIENCE);
  try {
    return await work;
  } finally {
    over = true;
    clearInterval(silent);
  }
}
