import { ApplicationFailure } from '@temporalio/activity';
import type { ModelConfig } from '../../../agent/model/config';
import { type Message, textOf } from '../../../agent/model/message';
import { summarise, toSummarise } from '../../../agent/prompts/compaction';
import { sendRoom, writerTokens } from '../../../agent/window/room';
import { streamAnswer } from '../answer/stream-answer';
import { type Attempt, timeLeft } from '../attempt';
import { makeRequests, type RequestDeps } from '../make-requests';
import { loadTokenizer } from '../window/count-tokens';
import type { FitArgs } from '../window/fit-call';
import { cutText } from './cut-text';
import { transcriptText } from './transcript-text';

export interface SummaryTask {
  attempt: Attempt;
  /** Alias and configuration of the model that writes. */
  alias: string;
  config: ModelConfig;
  /** The run that it writes for. */
  run: Pick<FitArgs, 'manifest' | 'context'> & { turn: number };
  /** What the summary replaces. */
  messages: readonly Message[];
  /** The summary of the messages before them. */
  earlier?: string | undefined;
  /** Tokens of the summary. */
  maxTokens: number;
  /** Tokens of the writer's window. */
  window: number;
  /**
   * Is told what the call sends, in tokens, and with which configuration.
   * @throws ApplicationFailure where that costs too much
   */
  reserve(config: ModelConfig, prompt: number): void;
}

/** Asks a model to sum messages up. The summary has at most `maxTokens`; the rest of a longer one is dropped. */
export async function writeSummary(deps: RequestDeps, task: SummaryTask): Promise<{ text: string; model: string }> {
  const { attempt, alias, run, maxTokens, earlier } = task;
  const config = limited(task.config, writerTokens(maxTokens));
  const count = loadTokenizer();
  const system = summarise(maxTokens);
  const fixed = count(system).tokens + count(toSummarise('', earlier)).tokens;
  const room = sendRoom(task.window, { maxTokens: config.maxTokens }) - fixed;
  const text = toSummarise(await transcriptText(task.messages, { room, count }), earlier);
  task.reserve(config, count(system).tokens + count(text).tokens);
  const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text }], turn: 0 }];
  const asked = {
    ...{ alias, config, attempt },
    interactive: run.manifest.mode === 'conversation',
    sent: () => ({ system, messages, tools: [] }),
    traced: {
      call: { turn: run.turn, model: alias },
      loaded: { manifest: { ...run.manifest, tools: [] }, context: { ...run.context, system }, messages },
    },
  };
  const answer = await makeRequests(deps, asked, ({ answers, ...way }) =>
    streamAnswer({
      ...way,
      ...{ system, messages, tools: [], call: run.turn },
      time: timeLeft(attempt),
      onDelta: answers,
    }),
  );
  const written = cutText(textOf(answer).trim(), maxTokens, count);
  if (written === '') throw ApplicationFailure.nonRetryable('The summary is empty.', 'SummaryEmpty');
  return { text: written, model: answer.model };
}

/** An HTTP client belongs to a configuration: without this, each call would have a new one. */
const made = new WeakMap<ModelConfig, ModelConfig>();

/** A longer answer than the summary needs is not paid for. */
function limited(config: ModelConfig, most: number): ModelConfig {
  const known = made.get(config);
  const maxTokens = Math.min(config.maxTokens ?? most, most);
  if (known?.maxTokens === maxTokens) return known;
  const own = { ...config, maxTokens };
  made.set(config, own);
  return own;
}
