import { type StreamAnswerArgs, streamAnswer } from '../../activities/model/answer/stream-answer';
import { askOnTerms } from '../../activities/model/output/ask-on-terms';
import type { ModelAnswer } from '../../agent/model/answer';
import type { ModelConfig } from '../../agent/model/config';
import type { Usage } from '../../agent/model/cost/usage';
import type { ContentPart } from '../../agent/model/message';
import type { OutputDowngrade } from '../../agent/model/structured-output';
import { defined } from '../../agent/values/defined';

/** A call of a model that was answered. */
export interface Tried {
  answer: ModelAnswer & { downgraded?: OutputDowngrade };
  /** Missing: the server did not report it. */
  usage?: Usage;
  /** How many pieces of text and of reasoning arrived. */
  pieces: number;
}

export interface Trial extends Partial<Pick<StreamAnswerArgs, 'tools' | 'output' | 'system'>> {
  /** What the model is asked. */
  parts: ContentPart[];
  /** Maximum tokens of the answer. */
  maxTokens: number;
}

/** Makes one small call. Throws what `streamAnswer` throws. */
export type TryModel = (trial: Trial) => Promise<Tried>;

/** @param patience milliseconds that the model may take */
export function trialsOf(config: ModelConfig, patience: number): TryModel {
  return async ({ parts, maxTokens, tools = [], output, system }) => {
    let usage: Usage | undefined;
    let pieces = 0;
    const args: StreamAnswerArgs = {
      config: { ...config, maxTokens, idleTimeout: 2 * patience },
      messages: [{ role: 'user', parts, turn: 0 }],
      tools,
      output,
      system,
      call: 1,
      signal: AbortSignal.timeout(patience),
      onDelta({ type }) {
        if (type === 'stream.text' || type === 'stream.reasoning') pieces++;
      },
      onUsage(reported) {
        usage = reported;
      },
    };
    const answer = await askOnTerms(args, (terms) => streamAnswer({ ...args, terms }));
    return { answer, pieces, ...defined({ usage }) };
  };
}
