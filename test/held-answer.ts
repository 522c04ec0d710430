import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../agent/values/json';
import { newGate } from './gate';
import { replyPieces } from './kit/reply-pieces';
import { chatDelta, type RawReply } from './kit/send-reply';

/** An answer that waits in its middle, so that a test has all the time that it needs while the answer is in progress. */
export interface HeldAnswer {
  /** For the script of a model. */
  step: RawReply;
  /** Lets the rest come. */
  goOn(): void;
}

/** An answer that says `before` at once, and `after`, piece by piece, when it may go on. */
export function heldAnswer(before: string, after = ''): HeldAnswer {
  const { open: goOn, opened } = newGate();
  async function* raw() {
    yield* textChunks(before);
    await opened;
    for (const piece of textChunks(after)) {
      yield piece;
      await sleep(20);
    }
    yield chunk({}, 'stop');
    yield 'data: [DONE]\n\n';
  }
  return { step: { raw: raw() }, goOn };
}

function textChunks(text: string): JsonObject[] {
  return Array.from(replyPieces({ text, chunkSize: 10 }), (piece) => chunk(chatDelta(piece), null));
}

function chunk(delta: JsonObject, finishReason: string | null): JsonObject {
  return { choices: [{ index: 0, delta, finish_reason: finishReason }] };
}
