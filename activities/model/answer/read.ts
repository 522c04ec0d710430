import { APIError } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ModelConfig } from '../../../agent/model/config';
import type { DeltaBody } from '../../../agent/protocol/stream';
import { isJsonObject } from '../../../agent/values/json';
import { excessOf, MAX_WRAPPED_DEPTH } from '../../json-extent';
import { clientFor } from '../client';
import { AnswerFault } from '../failures/answer-fault';
import { ANSWER_BYTES, wholeText } from './body';
import { readChunks, throwError } from './chunks';
import type { AnswerDraft } from './draft';
import { AnswerWatch } from './watch';

const IDLE_TIMEOUT = 60_000;
/** Milliseconds for what follows the finish_reason: the usage, and the end that some servers do not send. */
const AFTER_FINISH = 2000;

export interface ReadArgs {
  config: ModelConfig;
  request: ChatCompletionCreateParamsStreaming;
  /** Collects what arrives; after a failure it holds what had arrived until then. */
  draft: AnswerDraft;
  headers: { readonly [name: string]: string };
  /** Milliseconds that the caller has for the whole answer; set by an agent's `limits.modelTimeout`. */
  time?: number | undefined;
  signal: AbortSignal;
  onDelta(body: DeltaBody): void;
}

/**
 * Sends the request and reads its answer into `draft`, to its end or until it is full. Returns early, without an error,
 * when `signal` aborts: check the signal.
 * @throws AnswerFault, or what the client and the connection throw
 */
export async function readAnswer(args: ReadArgs): Promise<void> {
  const { config, request, draft, headers: more, signal, onDelta } = args;
  // Not AbortSignal.any: one that only its listeners reference may be collected on Node 20 and never fire.
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  const silence = config.idleTimeout ?? IDLE_TIMEOUT;
  const time = Math.min(config.answerTimeout ?? Infinity, args.time ?? Infinity);
  const watch = new AnswerWatch({ silence, time }, abort);
  let heard = false;
  const onBytes = () => {
    heard = true;
    // Comments may go on forever; after the finish only what adds to the answer is waited for.
    if (draft.finish === undefined) watch.touch();
  };
  const limits = { max: config.maxAnswerBytes ?? ANSWER_BYTES, onBytes };
  let atItsEnd = false;
  try {
    const options = { signal: stop.signal, headers: more };
    const response = await clientFor(config).chat.completions.create(request, options).asResponse();
    watch.touch();
    const { headers } = response;
    const type = headers.get('content-type') ?? '';
    if (type.includes('html')) throw new AnswerFault('unreadable', `it answers with ${type}`);
    if (type.includes('application/json')) {
      for (const delta of addWhole(draft, await wholeText(response, limits), headers)) onDelta(delta);
      return;
    }
    for await (const chunk of readChunks(response, limits)) {
      const isOver = draft.finish !== undefined;
      const deltas = draft.add(chunk);
      for (const delta of deltas) onDelta(delta);
      if (draft.full) return;
      if (draft.finish === undefined) continue;
      if (!isOver) watch.shorten(AFTER_FINISH);
      else if (deltas.length > 0) watch.touch();
    }
    atItsEnd = true;
    if (draft.chunks === 0 && !stop.signal.aborted && !type.includes('event-stream')) {
      throw new AnswerFault('unreadable', `it answers with ${type || 'no content type'}`);
    }
  } catch (error) {
    // A status says more than the silence after it. A failure after the finish_reason costs at most the usage: the
    // answer is complete and need not be paid for again.
    const isStatus = error instanceof APIError && error.status !== undefined;
    const isWhole = draft.finish !== undefined && !(error instanceof APIError);
    if (isStatus || (watch.ended === undefined && !isWhole)) throw error;
  } finally {
    watch.stop();
    signal.removeEventListener('abort', abort);
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

/** Reads the answer of a server that does not stream, or one that fails with status 200: it comes in one piece. */
function addWhole(draft: AnswerDraft, text: string, headers: Headers): DeltaBody[] {
  const excess = excessOf(text, MAX_WRAPPED_DEPTH);
  if (excess !== undefined) throw new AnswerFault('unreadable', `it answers with JSON ${excess}`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new AnswerFault('unreadable', 'it answers with broken JSON');
  }
  throwError(json, headers);
  if (!isJsonObject(json) || !Array.isArray(json.choices)) {
    throw new AnswerFault('unreadable', 'it answers with JSON that is not a chat completion');
  }
  return draft.add(json);
}
