import { QUERY } from '../../../agent/protocol/activities';
import type { Fact } from '../../../agent/protocol/facts/fact';
import type { Manifest } from '../../../agent/protocol/manifest';
import type { StreamDelta } from '../../../agent/protocol/stream';
import { defined } from '../../../agent/values/defined';
import { hurryFeed } from '../../feed/feeds';
import { patientQuery } from '../../requests/patient-query';
import type { RunHandle } from '../../runs/run-handle';
import type { UiChunk } from './chunks';
import { toolNames } from './tool-names';
import { Translation } from './translate';

/** Which part of a run is streamed. */
export interface ExchangePlace {
  exchange: number;
  /** Number of a fact before the exchange's first. */
  after: number;
  /** Number of the last fact that the reader has: what came up to it is not sent again. Default: none. */
  seen?: number;
  signal: AbortSignal;
}

/**
 * One exchange, from its beginning, as the chunks of one message, until it has ended, or goes on only when
 * people have done something.
 */
export async function* exchangeChunks(
  run: RunHandle<unknown>,
  { exchange, after, seen = 0, signal }: ExchangePlace,
): AsyncGenerator<UiChunk, void, undefined> {
  const left = new AbortController();
  const until = AbortSignal.any([signal, left.signal]);
  const { agent, names } = await aboutRun(run);
  const translation = new Translation({ runId: run.id, agent, exchange, names });
  let started = false;
  /** Waits that the run no longer has. */
  let asked = '';
  try {
    for await (const event of run.events({ after, signal: until })) {
      if (isDelta(event)) {
        const chunks = translation.delta(event);
        if (started) yield* chunks;
        if (translation.isBehind) hurryFeed(run.client, run.id);
        continue;
      }
      if (event.exchange !== exchange && !(event.type === 'loop.end' && started)) continue;
      if (!started) {
        started = true;
        yield translation.start(event.time);
      }
      const chunks = translation.fact(event);
      if (event.seq > seen) yield* chunks;
      if (translation.isOver) return;
      const waits = translation.calls.onlyPeople();
      const key = waits === undefined ? '' : [...waits.keys()].join();
      if (waits === undefined || key === asked) continue;
      asked = key;
      // Old facts tell of waits that are over.
      const pending = await run.waiting();
      const ids = new Set(Object.values(pending).flatMap((all) => all.map(({ toolUseId }) => toolUseId)));
      if (![...waits.keys()].every((id) => ids.has(id))) continue;
      const count = (who: string) => [...waits.values()].filter((one) => one === who).length;
      yield* translation.pause({ approvals: count('approvals'), questions: count('questions'), calls: count('calls') });
      return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    left.abort();
  }
}

function isDelta(event: Fact | StreamDelta): event is StreamDelta {
  return 'callId' in event;
}

/** What a translation has to know about its run. Both never change. */
export async function aboutRun(run: RunHandle<unknown>) {
  const asked = patientQuery<Manifest | null>(run.client, run.id, QUERY.pinned, { argument: 'manifest' });
  const [{ agent }, manifest] = await Promise.all([run.state(), asked]);
  return { agent, names: toolNames(manifest) };
}

/** Facts of one look back from the newest one. */
const BACK = 256;

/** Number of a fact before an exchange's first, found from the end of the run: most exchanges are short. */
export async function beginningOf(
  run: RunHandle<unknown>,
  exchange: number,
  last: number,
  signal?: AbortSignal,
): Promise<number> {
  for (let back = BACK; ; back *= 4) {
    const after = Math.max(0, last - back);
    if (after === 0) return 0;
    for await (const fact of run.facts({ after, ...defined({ signal }) })) {
      if (fact.exchange < exchange && fact.seq < last) return after;
      break;
    }
  }
}
