import { ApplicationFailure } from '@temporalio/activity';
import type { ModelConfig } from '../../../agent/model/config';
import { type Message, textOf } from '../../../agent/model/message';
import { summarise, toSummarise } from '../../../agent/prompts/compaction';
import { defined } from '../../../agent/values/defined';
import { sendRoom, writerTokens } from '../../../agent/window/room';
import { streamAnswer } from '../answer/stream-answer';
import type { AskModelDeps } from '../ask-model';
import { type Attempt, timeLeft } from '../call-budget';
import { askOnTerms } from '../output/ask-on-terms';
import { traceCall } from '../trace-call';
import { loadTokenizer } from '../window/count-tokens';
import type { FitArgs } from '../window/fit-call';
import { cutText } from './cut-text';
import { transcriptText } from './transcript-text';

export interface SummaryTask extends Attempt {
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
  signal: AbortSignal;
}

/** Asks a model to sum messages up. The summary has at most `maxTokens`; the rest of a longer one is dropped. */
export async function writeSummary(deps: AskModelDeps, task: SummaryTask): Promise<{ text: string; model: string }> {
  const { alias, run, maxTokens, earlier, signal } = task;
  const config = limited(task.config, writerTokens(maxTokens));
  const count = loadTokenizer();
  const system = summarise(maxTokens);
  const fixed = count(system).tokens + count(toSummarise('', earlier)).tokens;
  const room = sendRoom(task.window, { maxTokens: config.maxTokens }) - fixed;
  const text = toSummarise(await transcriptText(task.messages, { room, count }), earlier);
  task.reserve(config, count(system).tokens + count(text).tokens);
  const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text }], turn: 0 }];
  const interactive = run.manifest.mode === 'conversation';
  const guarded = { alias, config, now: task.now };
  const leased = {
    alias,
    config,
    began: task.began,
    record: task.record,
    interactive,
    check: () => deps.breaker.check(guarded),
    sent: () => ({ system, messages, tools: [] }),
    signal,
  };
  const traced = {
    call: { turn: run.turn, model: alias },
    config,
    loaded: { manifest: { ...run.manifest, tools: [] }, context: { ...run.context, system }, messages },
  };
  const answer = await askOnTerms({ config }, (terms, request) =>
    deps.leases.during(leased, () =>
      traceCall(deps.tracing, { ...traced, request }, (traceparent, onRequest) =>
        deps.breaker.guard(guarded, (answers) =>
          streamAnswer({
            ...{ config, system, messages, tools: [], terms, call: run.turn },
            headers: defined({ traceparent }),
            time: timeLeft(task.began),
            signal,
            onRequest,
            onDelta: answers,
            onStart: (spending) => task.record.follow(spending),
          }),
        ),
      ),
    ),
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
