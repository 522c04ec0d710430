import { createParser } from 'eventsource-parser';
import type { Fact } from '../../../agent/protocol/facts/fact';
import { ApiError, AwayError } from './api-error';
import { backOff, pause } from './back-off';
import { connection } from './connection';
import { request } from './request';
import { runPath } from './runs';

/** What a reader of a run's facts is told. */
export interface FactListener {
  fact(fact: Fact): void;
  /** The connection was lost and is there again. */
  reconnected?(): void;
  /** The run has ended: no facts follow. */
  end?(): void;
  /** The facts cannot be read, and it is not the connection. */
  failed?(error: ApiError): void;
}

/**
 * Reads the facts of a run after number `after` until `signal` aborts, each once and in order, over lost connections.
 * By `fetch`, since an EventSource cannot send the token.
 */
export async function followFacts(id: string, after: number, signal: AbortSignal, to: FactListener): Promise<void> {
  let last = after;
  let ended = false;
  let lost = false;
  const opened = () => {
    if (lost) to.reconnected?.();
    lost = false;
  };
  for (let tries = 0; !signal.aborted && !ended; ) {
    await shown(signal);
    try {
      await readOnce(`${runPath(id)}/events?deltas=false&after=${last}`, signal, opened, (event, data) => {
        if (event !== 'error') tries = 0;
        if (event === 'end') ended = true;
        if (event !== 'fact') return;
        const fact = JSON.parse(data) as Fact;
        if (fact.seq <= last) return;
        last = fact.seq;
        to.fact(fact);
      });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
        to.failed?.(error);
        return;
      }
      if (!(error instanceof AwayError) && !(error instanceof ApiError) && !document.hidden) connection.set('away');
    }
    lost = true;
    if (ended) to.end?.();
    else await pause(backOff(++tries, Math.random()), signal);
  }
}

/** Browsers allow six connections to a server: a page that has been hidden for a while gives up its own. */
const HIDDEN = 60_000;

/** Waits until the page is visible. */
function shown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}

async function readOnce(
  path: string,
  signal: AbortSignal,
  opened: () => void,
  onEvent: (event: string, data: string) => void,
): Promise<void> {
  const hidden = new AbortController();
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const onHide = () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(() => hidden.abort(), HIDDEN);
  };
  document.addEventListener('visibilitychange', onHide);
  try {
    const headers = { accept: 'text/event-stream' };
    const response = await request(path, { headers, signal: AbortSignal.any([signal, hidden.signal]) });
    opened();
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const parser = createParser({ onEvent: ({ event = 'message', data }) => onEvent(event, data) });
    for (let piece = await reader?.read(); piece !== undefined && !piece.done; piece = await reader?.read()) {
      parser.feed(piece.value);
    }
  } finally {
    clearTimeout(hiding);
    document.removeEventListener('visibilitychange', onHide);
  }
}
