import type { ModelAdapter, ModelRequest } from '../../../agent/model/adapter';
import type { ModelConfig } from '../../../agent/model/config';
import type { DeltaBody } from '../../../agent/protocol/stream';
import { AnswerFault } from '../failures/answer-fault';
import { ModelServerError } from '../failures/server-error';
import type { AnswerDraft } from './draft';
import { Leavable } from './leavable';
import { AnswerWatch } from './watch';

const IDLE_TIMEOUT = 60_000;
/** Milliseconds for what follows the finish: the usage, and the end that some servers do not send. */
const AFTER_FINISH = 2000;
/** Milliseconds in which an adapter that a silence has ended may still say which error it was reading. */
const TO_SAY = 1000;

export interface ReadArgs {
  config: ModelConfig;
  adapter: ModelAdapter;
  request: ModelRequest;
  /** Collects what arrives; after a failure it holds what had arrived until then. */
  draft: AnswerDraft;
  /** Milliseconds that the caller has for the whole answer; set by an agent's `limits.modelTimeout`. */
  time?: number | undefined;
  signal: AbortSignal;
  onDelta(body: DeltaBody): void;
}

/**
 * Sends the request and reads its answer into `draft`, to its end or until it is full. Returns early, without an error,
 * when `signal` aborts: check the signal.
 * @throws AnswerFault, or what the adapter throws
 */
export async function readAnswer(args: ReadArgs): Promise<void> {
  const { config, adapter, request, draft, signal, onDelta } = args;
  if (signal.aborted) return;
  // Not AbortSignal.any: one that only its listeners reference may be collected on Node 20 and never fire.
  const stop = new AbortController();
  const answer = new Leavable(() =>
    adapter.stream(request, { signal: stop.signal, connected: () => watch.touch(), alive }),
  );
  const leave = () => answer.leave();
  const cancel = () => {
    stop.abort();
    leave();
  };
  signal.addEventListener('abort', cancel, { once: true });
  const silence = config.idleTimeout ?? IDLE_TIMEOUT;
  const time = Math.min(config.answerTimeout ?? Infinity, args.time ?? Infinity);
  let leaving: NodeJS.Timeout | undefined;
  const watch = new AnswerWatch({ silence, time }, () => {
    stop.abort();
    leaving = setTimeout(leave, TO_SAY);
  });
  let heard = false;
  const alive = () => {
    heard = true;
    // Comments may go on forever; after the finish only what adds to the answer is waited for.
    if (draft.finish === undefined) watch.touch();
  };
  let atItsEnd = false;
  try {
    for await (const events of answer) {
      for (const parts of events) {
        const isOver = draft.finish !== undefined;
        if (!isOver) alive();
        const deltas = draft.add(parts);
        for (const delta of deltas) onDelta(delta);
        if (draft.full) return;
        if (draft.finish === undefined) continue;
        if (!isOver) watch.shorten(AFTER_FINISH);
        else if (deltas.length > 0) watch.touch();
      }
    }
    atItsEnd = true;
  } catch (error) {
    // A status says more than the silence after it. A failure after the finish costs at most the usage: the answer is
    // complete and need not be paid for again.
    const isSaid = error instanceof ModelServerError;
    const isWhole = draft.finish !== undefined && !isSaid;
    if ((isSaid && error.status !== undefined) || (watch.ended === undefined && !isWhole)) throw error;
  } finally {
    watch.stop();
    clearTimeout(leaving);
    for (const delta of draft.close()) onDelta(delta);
    signal.removeEventListener('abort', cancel);
    // Frees the socket; after the end it would do nothing, and an abort is expensive.
    if (!atItsEnd) stop.abort();
  }
  if (watch.ended === undefined || draft.finish !== undefined) return;
  if (watch.ended === 'silence' || !heard) {
    throw new AnswerFault('idle', `nothing arrived for ${Math.min(silence, Math.round(time))} ms`);
  }
  const limit = time === config.answerTimeout ? '`answerTimeout`' : '`limits.modelTimeout` of the agent';
  throw new AnswerFault('slow', `not whole after ${Math.round(time / 100) / 10} s, the limit is ${limit}`);
}
