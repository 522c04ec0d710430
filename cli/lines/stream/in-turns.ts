import type { Fact } from '../../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../../agent/protocol/stream';

/**
 * The same events, but no delta before the `loop.iteration` of its turn: deltas come straight from the worker, and can
 * overtake facts.
 * @param began the turn in progress when reading begins, or the last one. 0 if the facts begin with the first one
 */
export async function* inTurns(
  events: AsyncIterable<Fact | StreamDelta>,
  began: number | Promise<number>,
): AsyncGenerator<Fact | StreamDelta, void, undefined> {
  let turn: number | undefined;
  let early: StreamDelta[] = [];
  for await (const event of events) {
    if (isDelta(event)) {
      turn ??= await began;
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
