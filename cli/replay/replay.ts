import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import type { StorageConfig } from '../../runtime/config/storage';
import { SILENT_LOG } from '../../runtime/log';
import { give, progress, say, warn } from '../../runtime/print';
import { installTemporalRuntime } from '../../runtime/temporal/log';
import { Replayer } from '../../workers/replay/replayer';
import { EXIT } from '../exit-code';
import { withClient } from '../with-client';
import { adviceFor, differenceOf } from './difference';
import { encodingOf } from './encoding';
import { findEvent } from './find-event';
import { type FoundHistory, type LeftOut, readHistories } from './histories';
import { type Failed, failedLine, progressLine, summaryLines, type Tally } from './lines';

export interface ReplayOptions {
  config?: string;
  /** Runs that were open at some time since. Default: the last seven days. */
  since?: Date;
  /** How many runs at most. Default {@link LIMIT}. */
  limit?: number;
  json?: boolean;
}

/** Default of `--limit`. */
export const LIMIT = 1000;
const WEEK = 7 * 86_400_000;

/** `holdfast replay`: replays histories of a server with the workflows of this version. Exit code 1 if one differs. */
export function replay(ids: readonly string[], options: ReplayOptions): Promise<number> {
  const { config, since, limit, json = false } = options;
  if (ids.length > 0 && (since !== undefined || limit !== undefined)) {
    warn('error: name runs, or find them with `--since` and `--limit`, not both');
    return Promise.resolve(EXIT.usage);
  }
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  process.once('SIGINT', stop);
  // Ctrl-C is ours: without a list, Temporal's Runtime would end the process's workers by itself.
  installTemporalRuntime({ log: SILENT_LOG, shutdownSignals: [] });
  const wanted = ids.length > 0 ? { ids } : { since: since ?? new Date(Date.now() - WEEK), limit: limit ?? LIMIT };
  return withClient(config, ({ temporal }, { storage }) =>
    replayAll(temporal, { wanted, json, limit: limit ?? LIMIT, signal: interrupt.signal, ...defined({ storage }) }),
  ).finally(() => process.off('SIGINT', stop));
}

interface Replaying {
  wanted: Parameters<typeof readHistories>[1];
  limit: number;
  json: boolean;
  signal: AbortSignal;
  /** Of the configuration. */
  storage?: StorageConfig;
}

async function replayAll(temporal: Client, replaying: Replaying): Promise<number> {
  const { wanted, limit, json, signal, storage } = replaying;
  const replayer = new Replayer(defined({ storage }));
  const runs = new Set<string>();
  const tally: Tally = { histories: 0, runs: 0, failed: 0 };
  const leftOut: LeftOut = { deleted: 0, more: false };
  const shown = progress();
  try {
    for await (const found of readHistories(temporal, wanted, leftOut)) {
      if (signal.aborted) break;
      const failed = await failureOf(replayer, found);
      runs.add(found.id);
      tally.histories++;
      tally.runs = runs.size;
      if (failed !== undefined) {
        tally.failed++;
        shown.clear();
        if (json) give(`${JSON.stringify({ type: 'failed', ...failed })}\n`, 'json');
        else say(failedLine(failed));
      }
      shown.show(progressLine(tally));
    }
  } finally {
    shown.clear();
    await replayer.close();
  }
  const interrupted = signal.aborted;
  if (json) give(`${JSON.stringify({ type: 'summary', ...tally, ...leftOut, interrupted })}\n`, 'json');
  else say(...(interrupted ? ['Interrupted. Until then:'] : []), ...summaryLines(tally, leftOut, limit));
  if (interrupted) return EXIT.interrupted;
  return tally.failed > 0 ? EXIT.failed : EXIT.done;
}

/** Why a history does not replay; `undefined` if it does. */
async function failureOf(replayer: Replayer, found: FoundHistory): Promise<Failed | undefined> {
  const { id, runId, agent, isOpen, history } = found;
  try {
    await replayer.replay({ workflowId: id, history });
    return undefined;
  } catch (error) {
    const about = { run: id, runId, agent, open: isOpen };
    const encoding = encodingOf(history);
    if (encoding !== undefined) {
      const reason = `its payloads are encoded as \`${encoding}\`, and the command line has no codecs`;
      return { ...about, reason, todo: 'replay it in a test with a `Replayer` that has your codecs' };
    }
    if (error instanceof HoldfastError && error.type === 'StorageUnavailable') {
      return {
        ...about,
        reason: error.message,
        todo: 'set the storage of the workers in temporal.yaml, or give it back',
      };
    }
    const { scheduled, ...difference } = differenceOf(error);
    const event = difference.event ?? (await findEvent(found, scheduled, (part) => replays(replayer, part)));
    return { ...about, ...defined({ event }), reason: difference.reason, todo: adviceFor(found) };
  }
}

function replays(replayer: Replayer, recorded: Parameters<Replayer['replay']>[0]): Promise<boolean> {
  return replayer.replay(recorded).then(
    () => true,
    () => false,
  );
}
