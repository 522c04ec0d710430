import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../agent/values/json';
import type { RawReply } from './kit/send-reply';

/** Milliseconds between two words. */
const PACE = 30;

/** An answer that is in progress for as long as a test needs. */
export interface FlowingAnswer {
  /** For the script of a model. */
  step: RawReply;
  /** The words so far: `word0 word1 …`, with a space behind each. */
  said(): string;
  /** Lets it end. */
  end(): void;
}

/** An answer that says one word after the other, the first one always, until it may end. */
export function flowingAnswer(word = 'word'): FlowingAnswer {
  let said = '';
  let ends = false;
  async function* raw() {
    let n = 0;
    do {
      const content = `${word}${n++} `;
      said += content;
      yield chunk({ content }, null);
      await sleep(PACE);
    } while (!ends);
    yield chunk({}, 'stop');
    yield 'data: [DONE]\n\n';
  }
  return {
    step: { raw: raw() },
    said: () => said,
    end() {
      ends = true;
    },
  };
}

function chunk(delta: JsonObject, finishReason: string | null): JsonObject {
  return { choices: [{ index: 0, delta, finish_reason: finishReason }] };
}
