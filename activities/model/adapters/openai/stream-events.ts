import { createParser } from 'eventsource-parser';
import { excessOf, MAX_WRAPPED_DEPTH } from '../../../json-extent';
import { AnswerFault } from '../../failures/answer-fault';
import { type BodyLimits, PIECE_BYTES, piecesOf, tooLargePiece } from './body';
import type { StrayJson, StrayLines } from './stray-lines';

/** Characters passed to the parser at once: for each line it searches for `\r` and `\n` to the end of them. */
const SLICE = 4096;

/** Stands for `[DONE]` among the events: what comes after it says nothing. */
export const DONE = Symbol('[DONE]');

/**
 * The events of a streamed answer, as JSON. Those that arrive together are in one list.
 * @param stray reads the lines that are not part of an event
 * @throws SyntaxError for an event that is not JSON
 * @throws AnswerFault past a limit
 */
export async function* streamEvents(
  response: Response,
  limits: BodyLimits,
  stray: StrayLines,
): AsyncGenerator<readonly unknown[]> {
  const events: (string | StrayJson)[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => !isBeat(event, data) && events.push(data),
    onError(error) {
      const said = stray.read(error);
      if (said !== undefined) events.push(said);
    },
  });
  function* eventsOf(text: string): Generator<unknown> {
    for (let at = 0; at < text.length; at += SLICE) {
      parser.feed(text.slice(at, at + SLICE));
      for (const data of events.splice(0)) yield typeof data === 'string' ? jsonOf(data) : data;
    }
  }
  const jsonOf = (data: string): unknown => {
    if (data.startsWith('[DONE]')) return DONE;
    const excess = excessOf(data, MAX_WRAPPED_DEPTH, limits.values);
    if (excess !== undefined) throw new AnswerFault('unreadable', `one event of its stream is ${excess}`);
    return JSON.parse(data);
  };
  const decoder = new TextDecoder();
  /** Bytes since the last event. The parser keeps lines without an end, and the lines of an event without an end. */
  let kept = 0;
  for await (const bytes of piecesOf(response, limits)) {
    kept += bytes.length;
    for (const events of inOne(eventsOf(decoder.decode(bytes, { stream: true })))) {
      kept = 0;
      yield events;
    }
    if (kept > PIECE_BYTES) throw tooLargePiece();
  }
  // Some servers leave out the empty line after their last event.
  yield* inOne(eventsOf(`${decoder.decode()}\n\n`));
  const whole = stray.whole();
  if (whole !== undefined) yield [whole];
}

/** Events that only keep a connection open; those of a known name need not be JSON. */
function isBeat(event: string | undefined, data: string): boolean {
  return data.trim() === '' || event === 'ping' || event === 'keepalive' || event === 'heartbeat';
}

/** All values in one list, if there are any. What their source throws comes after it. */
export function* inOne<T>(values: Iterable<T>): Generator<readonly T[]> {
  const all: T[] = [];
  try {
    for (const value of values) all.push(value);
  } finally {
    if (all.length > 0) yield all;
  }
}
