import { setTimeout as delay } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { HoldfastError } from '../../agent/errors/error';
import { answeredTurn, type Fact } from '../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../agent/protocol/stream';
import { linkedAbort } from '../../runtime/abort/linked-abort';
import { isAway, type RemoteApi } from './api';
import { backOff } from './back-off';

/** The server sends something more often than this. Without it, the connection is dead although it looks open. */
const SILENCE = 45_000;

/** Which events are read. */
export interface RemoteReading {
  after: number;
  deltas: boolean;
  signal: AbortSignal | undefined;
}

/**
 * Reads the events of a run to its end. A lost connection is opened again, after the last fact: facts come once and in
 * order. What was shown of the answer in progress is withdrawn then by a `stream.clear`, before the rest or its fact comes.
 * @throws HoldfastError an error of the API that another try does not help: `RunNotFound`, `Unauthorized`, …
 */
export async function* readEvents(
  api: RemoteApi,
  path: string,
  { after, deltas, signal }: RemoteReading,
): AsyncGenerator<Fact | StreamDelta, void, undefined> {
  let last = after;
  /** The last piece of the answer in progress that the reader has. */
  let shown: StreamDelta | undefined;
  for (let tries = 0; signal?.aborted !== true; ) {
    /** The connection is a new one: what the reader has of the answer does not go on with what comes. */
    let again = tries > 0;
    try {
      for await (const { event, data } of connected(api, path, { after: last, deltas, signal })) {
        if (event === 'end') return;
        if (event === 'error') break;
        tries = 0;
        if (event === 'fact') {
          const fact = JSON.parse(data) as Fact;
          if (fact.seq <= last) continue;
          last = fact.seq;
          if ((answeredTurn(fact) ?? 0) >= (shown?.turn ?? Number.POSITIVE_INFINITY)) {
            if (again && shown !== undefined) yield cleared(shown);
            shown = undefined;
          }
          yield fact;
        } else if (event === 'delta') {
          const delta = JSON.parse(data) as StreamDelta;
          if (delta.type.startsWith('stream.')) {
            if (again && shown !== undefined && delta.type !== 'stream.clear') yield cleared(shown);
            again = false;
            shown = delta.type === 'stream.clear' ? undefined : delta;
          }
          yield delta;
        }
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!isLost(error)) throw error;
    }
    await delay(backOff(++tries), undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  }
}

/** Errors of a server that is away, and of one that has too many readers for the moment. */
function isLost(error: unknown): boolean {
  if (!(error instanceof HoldfastError)) return true;
  return isAway(error) || LATER.has(error.type);
}

const LATER: ReadonlySet<string> = new Set(['NoWorker', 'TooManyStreams', 'Internal']);

function cleared({ id, turn, callId, attempt, seq }: StreamDelta): StreamDelta {
  return { type: 'stream.clear', id, turn, callId, attempt, seq };
}

/** The events of one connection. */
async function* connected(
  api: RemoteApi,
  path: string,
  { after, deltas, signal }: RemoteReading,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const until = linkedAbort(signal);
  const timer = setTimeout(() => until.abort(), SILENCE);
  try {
    const response = await api.open(path, {
      headers: { accept: 'text/event-stream', 'last-event-id': String(after) },
      query: { deltas: deltas ? undefined : 'false' },
      signal: until.signal,
    });
    const found: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (event) => void found.push(event) });
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      timer.refresh();
      parser.feed(decoder.decode(bytes, { stream: true }));
      yield* found.splice(0);
    }
  } finally {
    clearTimeout(timer);
    until.abort();
  }
}
