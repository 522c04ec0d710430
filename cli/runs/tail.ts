import type { AgentClient } from '../../client/agent-client';
import { queueOf } from '../../client/requests/no-worker';
import { give, say, warn } from '../../runtime/print';
import { diagnose } from '../doctor/diagnose';
import { withClient } from '../with-client';
import { followFacts } from './follow-facts';

export interface TailOptions {
  config?: string;
  after?: number;
  json?: boolean;
}

/** Exit code of a process that is ended with Ctrl-C. */
const INTERRUPTED = 130;

/** `holdfast tail`: shows the events of a run, line by line, until it ends or Ctrl-C. The run is not affected. */
export function tail(id: string, { config, ...options }: TailOptions): Promise<number> {
  return withClient(config, async (client) => {
    const left = new AbortController();
    const leave = () => left.abort();
    process.once('SIGINT', leave).once('SIGTERM', leave);
    try {
      return await tailRun(client, id, options, left.signal);
    } finally {
      process.off('SIGINT', leave).off('SIGTERM', leave);
    }
  });
}

/** Shows a run until it ends or `left` is aborted. Returns the exit code. */
export async function tailRun(
  client: AgentClient,
  id: string,
  { after = 0, json = false }: Omit<TailOptions, 'config'>,
  left: AbortSignal,
): Promise<number> {
  const { namespace } = client.temporal.options;
  const run = client.get(id);
  const options = { after, signal: left };
  await followFacts(id, json ? run.facts(options) : run.events(options), {
    json: json ? (line) => give(`${line}\n`, 'json') : undefined,
    say,
    err: warn,
    diagnose: async () => diagnose(client.temporal, id, { namespace, taskQueue: await queueOf(client.temporal, id) }),
  });
  return left.aborted ? INTERRUPTED : 0;
}
