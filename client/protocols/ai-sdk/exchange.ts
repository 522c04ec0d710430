import type { Fact } from '../../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../../agent/protocol/stream';
import { defined } from '../../../agent/values/defined';
import { linkedAbort } from '../../../runtime/abort/linked-abort';
import { untilAborted } from '../../../runtime/abort/until-aborted';
import { hurryFeed } from '../../feed/feeds';
import { untilWorkerBack } from '../../requests/until-worker-back';
import type { RunHandle } from '../../runs/run-handle';
import { aboutRun } from './about-run';
import { idBelow, isOutcome } from './below/agent-below';
import type { Seen } from './below/agents-below';
import { type HeardBelow, Voices } from './below/voices';
import { allWaits } from './below/waits';
import type { UiChunk } from './chunks';
import { Translation } from './translate';

/** Which part of a run is streamed. */
export interface ExchangePlace {
  exchange: number;
  /** Number of a fact before the exchange's first. */
  after: number;
  /** What the reader has: it is not sent again. Default: nothing. */
  seen?: Seen;
  signal: AbortSignal;
}

/**
 * One exchange, from its beginning, as the chunks of one message, until it has ended, or goes on only when
 * people have done something.
 */
export async function* exchangeChunks(
  run: RunHandle<unknown>,
  { exchange, after, seen, signal }: ExchangePlace,
): AsyncGenerator<UiChunk, void, undefined> {
  const about = await untilAborted(aboutRun(run), signal);
  const until = linkedAbort(signal);
  const translation = new Translation({ ...about, exchange, seen });
  const voices = new Voices(run);
  let started = false;
  /** Waits that the run no longer has, or not alone. */
  let asked = '';
  try {
    for await (const heard of voices.hear(run.events({ after, signal: until.signal }))) {
      if (!('event' in heard)) {
        yield* belowChunks(translation, voices, heard);
      } else if (isDelta(heard.event)) {
        const chunks = translation.delta(heard.event);
        if (started) yield* chunks;
        if (translation.isBehind) hurryFeed(run.client, run.id);
        continue;
      } else {
        const { event } = heard;
        if (event.exchange !== exchange && !(event.type === 'loop.end' && started)) continue;
        if (!started) {
          started = true;
          yield translation.start(event.time);
        }
        if (isOutcome(event)) {
          const { toolUseId } = event;
          if (translation.misses(event)) {
            const rest = voices.lastWords(toolUseId, `${run.id}/${toolUseId}`);
            for await (const one of rest) yield* belowChunks(translation, voices, one);
          }
          voices.leave(toolUseId);
        }
        yield* translation.fact(event);
        if (translation.isOver) return;
        follow(voices, '', event);
      }
      const waits = translation.onlyPeople();
      const key = waits === undefined ? '' : [...waits.keys()].join();
      if (waits === undefined || key === asked) continue;
      asked = key;
      // Old facts tell of waits that are over, and others may follow.
      const waiting = untilWorkerBack(
        () => run.waiting(),
        { followsOn: true },
        () => !signal.aborted,
      );
      const found = await untilAborted(waiting, signal);
      const pending = allWaits(run.id, found);
      if (pending.size !== waits.size || ![...waits.keys()].every((id) => pending.has(id))) continue;
      const count = (who: string) => [...waits.values()].filter((one) => one === who).length;
      yield* translation.pause({ approvals: count('approvals'), questions: count('questions'), calls: count('calls') });
      return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    until.abort();
  }
}

function belowChunks(translation: Translation, voices: Voices, heard: HeardBelow) {
  const { path } = heard;
  if ('about' in heard) {
    translation.join(path, heard.about);
    return [];
  }
  const { fact } = heard;
  if (isOutcome(fact)) voices.leave(idBelow(path, fact.toolUseId));
  const chunks = translation.below(path, fact);
  follow(voices, path, fact);
  return chunks;
}

/** Hears the agent that a fact has set to work. */
function follow(voices: Voices, path: string, fact: Fact): void {
  if (fact.type === 'service.called' && fact.kind === 'agent') {
    voices.follow(idBelow(path, fact.toolUseId), fact.ref);
  }
}

function isDelta(event: Fact | StreamDelta): event is StreamDelta {
  return 'callId' in event;
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
