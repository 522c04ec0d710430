import { linkedAbort } from '../../runtime/abort/linked-abort';
import { give, say, warn } from '../../runtime/print';
import { EXIT } from '../exit-code';
import { RunLines } from '../lines/run-lines';
import { VerboseLines } from '../lines/verbose-lines';
import type { Place } from '../remote/place';
import { type CommandClient, withRunClient } from '../remote/run-client';
import { problemOf } from '../remote/silence';
import { followFacts, jsonView, waitingOf } from './follow-facts';

export interface TailOptions extends Place {
  after?: number;
  verbose?: boolean;
  json?: boolean;
}

/** `holdfast tail`: shows the events of a run, line by line, until it ends or Ctrl-C. The run is not affected. */
export function tail(id: string, options: TailOptions): Promise<number> {
  return withRunClient(options, async (client) => {
    const left = new AbortController();
    let code: number = EXIT.done;
    const interrupted = () => {
      code = EXIT.interrupted;
      left.abort();
    };
    const terminated = () => {
      code = EXIT.terminated;
      left.abort();
    };
    process.once('SIGINT', interrupted).once('SIGTERM', terminated);
    try {
      await tailRun(client, id, options, left.signal);
      return code;
    } finally {
      process.off('SIGINT', interrupted).off('SIGTERM', terminated);
    }
  });
}

/** Shows a run until it ends or `left` is aborted. */
export async function tailRun(
  client: CommandClient,
  id: string,
  { after = 0, json = false, verbose = false }: Omit<TailOptions, keyof Place>,
  left: AbortSignal,
): Promise<void> {
  const run = client.get(id);
  async function* read(signal: AbortSignal) {
    const until = linkedAbort(left, signal);
    try {
      const options = { after, signal: until.signal };
      yield* json ? run.facts(options) : run.events(options);
    } finally {
      until.unlink();
    }
  }
  await followFacts(id, read, {
    view: json
      ? jsonView((line) => give(`${line}\n`, 'json'))
      : verbose
        ? new VerboseLines(say)
        : new RunLines({ say, tailed: id }),
    err: warn,
    hints: !json,
    ctrlC: 'leaves it running',
    waiting: async () => waitingOf(await run.waiting()),
    diagnose: () => problemOf(client, id),
  });
}
