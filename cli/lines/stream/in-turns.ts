import type { Fact } from '../../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../../agent/protocol/stream';

/**
 * The same events, but no delta before the `loop.iteration` of its turn: deltas come straight from the worker, and can
 * overtake facts.
 * @param whole the facts begin with the first one; else the turn in progress is unknown until a fact names it
 */
export async function* inTurns(
  events: AsyncIterable<Fact | StreamDelta>,
  whole: boolean,
): AsyncGenerator<Fact | StreamDelta, void, undefined> {
  let turn = whole ? 0 : Number.POSITIVE_INFINITY;
  let early: StreamDelta[] = [];
  for await (const event of events) {
    if (isDelta(event)) {
      if (event.turn <= turn) yield event;
      else early.push(event);
      continue;
    }
    yield event;
    if (event.type !== 'loop.iteration') continue;
    turn = event.turn;
    const held = early;
    early = held.filter((delta) => delta.turn > event.turn);
    yield* held.filter((delta) => delta.turn === event.turn);
  }
}

export function isDelta(event: Fact | StreamDelta): event is StreamDelta {
  return 'callId' in event;
}
