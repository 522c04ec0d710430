import type { ModelPart } from '../../../../agent/model/adapter';
import { AnswerFault } from '../../failures/answer-fault';

/** What the end of a stream is said to be where only `[DONE]` tells it. */
export const DONE_ALONE = '[DONE]';

/**
 * How a server ends its streams. Some never name a reason for a natural end, only `[DONE]` (vllm-mlx, gateways for
 * Gemini). Gateways send `[DONE]` also where the server behind them was cut off. So it is an end only of a server that
 * has ended an answer that way before, and has never named a reason.
 */
export class StreamEnds {
  #natural: 'named' | 'unnamed' | undefined;

  /** A server that names other reasons, such as the length, may still not name this one. */
  note(parts: readonly ModelPart[]): void {
    if (parts.some((part) => part.type === 'finish' && part.reason === 'stop')) this.#natural = 'named';
  }

  /**
   * `[DONE]` has come after an answer without a reason.
   * @throws AnswerFault where that may be half of an answer; the next attempt can be its end
   */
  withoutReason(): ModelPart[] {
    if (this.#natural === 'unnamed') return [{ type: 'finish', reason: 'stop', said: DONE_ALONE }];
    this.#natural ??= 'unnamed';
    throw new AnswerFault('unfinished', 'its stream ended with `[DONE]`, but without a `finish_reason`');
  }
}
