import type { RunState } from '../../../agent/state/run-state';
import type { RunHandle } from '../../runs/run-handle';
import { aboutRun } from './about-run';
import type { UiChunk } from './chunks';
import { beginningOf, exchangeChunks } from './exchange';
import type { UiMessage } from './fold';
import { MessageList } from './messages';

/** Which exchange of a run {@link toUIMessageStream} streams. */
export interface UIMessageStreamOptions {
  /** Its number, which `send` returns. Default: the one in progress, or the last one. */
  exchange?: number;
  /** Number of a fact before its first, which `send` returns. Default: it is looked for. */
  after?: number;
  /** Number of the last fact that the reader has: `facts` in the metadata of its message. Default: none. */
  seen?: number;
  /** The same for the agents that work for the run: `below` in the metadata of its message. Default: none. */
  below?: Readonly<Record<string, number>>;
  /** Ids of the calls of these agents that have no outcome in its message. Default: none. */
  open?: readonly string[];
  /** Ends the reading, not the run. */
  signal?: AbortSignal;
}

/**
 * One exchange of a run as a UI message stream of the AI SDK (version 1): what `createUIMessageStreamResponse` of `ai`
 * takes. It ends with the exchange, or where only people are waited for.
 * @throws HoldfastError `RunNotFound`, `NoWorker`
 */
export async function toUIMessageStream(
  run: RunHandle<unknown>,
  options: UIMessageStreamOptions = {},
): Promise<ReadableStream<UiChunk>> {
  const chunks = await chunksOf(run, options);
  return new ReadableStream<UiChunk>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await chunks.return();
    },
  });
}

/** The same, as a generator. */
export async function chunksOf(
  run: RunHandle<unknown>,
  {
    exchange: wanted,
    after: known,
    seen: facts = 0,
    below = {},
    open = [],
    signal = new AbortController().signal,
  }: UIMessageStreamOptions,
): Promise<AsyncGenerator<UiChunk, void, undefined>> {
  const state = wanted === undefined || known === undefined ? await run.state() : undefined;
  const exchange = wanted ?? state?.exchange ?? 1;
  const after = known ?? (await beginningOf(run, exchange, state?.facts ?? 0, signal));
  return exchangeChunks(run, { exchange, after, signal, seen: { facts, below, open } });
}

/** Whether an exchange is in progress: its answer is streamed, or waits for people. */
export function isInProgress({ status, idle, exchange }: RunState): boolean {
  return status === 'running' && !idle && exchange > 0;
}

/** Facts that are read for a list of messages, from the end. */
const FACTS = 4000;

/**
 * The messages of a run, apart from the assistant's of an exchange in progress. Of a long run the newest.
 * @throws the reason of `signal`
 */
export async function uiMessages(
  run: RunHandle<unknown>,
  signal: AbortSignal,
): Promise<{ messages: UiMessage[]; running: boolean }> {
  const [state, about] = await Promise.all([run.state(), aboutRun(run)]);
  const running = isInProgress(state);
  const list = new MessageList({ ...about, ...(running ? { running: state.exchange } : {}) });
  if (state.facts > 0) {
    for await (const fact of run.facts({ after: Math.max(0, state.facts - FACTS), signal })) {
      list.add(fact);
      if (fact.seq >= state.facts) break;
    }
    // Facts end without an error where their reading is ended: part of the messages would pass as all of them.
    signal.throwIfAborted();
  }
  return { messages: list.end(), running };
}
