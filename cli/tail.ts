import { queueOf } from '../client/patient-query';
import { diagnose } from './diagnose';
import { followFacts } from './follow-facts';
import { withClient } from './with-client';

export interface TailOptions {
  config?: string;
  after?: number;
  json?: boolean;
}

/** Exit code of whoever is ended by Ctrl-C. */
const INTERRUPTED = 130;

/** `holdfast tail`: what happens in a run, line by line, until it ends or the reader leaves. The run takes no notice. */
export function tail(id: string, { config: path, after = 0, json = false }: TailOptions): Promise<number> {
  return withClient(path, async (client, { temporal: { namespace } }) => {
    const left = new AbortController();
    const leave = () => left.abort();
    process.once('SIGINT', leave).once('SIGTERM', leave);
    const out = (line: string) => void process.stdout.write(`${line}\n`);
    try {
      await followFacts(id, client.get(id).events({ after, signal: left.signal }), {
        json: json ? out : undefined,
        say: out,
        err: (line) => void process.stderr.write(`${line}\n`),
        diagnose: async () =>
          diagnose(client.temporal, id, { namespace, taskQueue: await queueOf(client.temporal, id) }),
      });
    } finally {
      process.off('SIGINT', leave).off('SIGTERM', leave);
    }
    return left.signal.aborted ? INTERRUPTED : 0;
  });
}
