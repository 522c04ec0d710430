import { APIError } from 'openai';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { isJsonObject } from '../../agent/json';
import type { ModelConfig } from '../../agent/model-config';
import type { DeltaBody } from '../../agent/stream';
import type { AnswerDraft } from './answer-draft';
import { AnswerFault } from './answer-fault';
import { readChunks, throwError } from './chunks';
import { clientFor } from './client';
import { IdleWatch } from './idle-watch';

const IDLE_TIMEOUT = 60_000;
/** Milliseconds for what follows the finish_reason: the usage, and the end that some servers forget to send. */
const AFTER_FINISH = 2000;

export interface ReadArgs {
  config: ModelConfig;
  request: ChatCompletionCreateParamsStreaming;
  /** Takes what arrives; after a failure it holds what had arrived until then. */
  draft: AnswerDraft;
  headers: { readonly [name: string]: string };
  signal: AbortSignal;
  onDelta(body: DeltaBody): void;
}

/**
 * Sends the request and reads its answer into `draft`, to its end or until it is full. Returns early, without an error,
 * when `signal` aborts: ask the signal.
 * @throws AnswerFault, or what the client and the connection throw
 */
export async function readAnswer({ config, request, draft, headers: more, signal, onDelta }: ReadArgs): Promise<void> {
  // Not AbortSignal.any: one that is referenced by its listeners alone may be collected on Node 20 and never fire.
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  const watch = new IdleWatch(config.idleTimeout ?? IDLE_TIMEOUT, abort);
  let atItsEnd = false;
  try {
    const options = { signal: stop.signal, headers: more };
    const response = await clientFor(config).chat.completions.create(request, options).asResponse();
    watch.touch();
    const { headers } = response;
    const type = headers.get('content-type') ?? '';
    if (type.includes('html')) throw new AnswerFault('unreadable', `it answers with ${type}`);
    if (type.includes('application/json')) {
      for (const delta of addWhole(draft, await response.text(), headers)) onDelta(delta);
      return;
    }
    for await (const chunk of readChunks(response, () => watch.touch())) {
      for (const delta of draft.add(chunk)) onDelta(delta);
      if (draft.full) return;
      if (draft.finish !== undefined) watch.shorten(AFTER_FINISH);
    }
    atItsEnd = true;
    if (draft.chunks === 0 && !stop.signal.aborted && !type.includes('event-stream')) {
      throw new AnswerFault('unreadable', `it answers with ${type || 'no content type'}`);
    }
  } catch (error) {
    // What breaks after the finish_reason costs the usage at most: the answer is there and need not be paid for again.
    const whole = draft.finish !== undefined && !(error instanceof APIError) && !(error instanceof AnswerFault);
    if (!watch.expired && !whole) throw error;
  } finally {
    watch.stop();
    signal.removeEventListener('abort', abort);
    // Frees the socket; after the end it would do nothing, and an abort is dear.
    if (!atItsEnd) stop.abort();
  }
  if (watch.expired && draft.finish === undefined) {
    throw new AnswerFault('idle', `nothing arrived for ${watch.limit} ms`);
  }
}

/** A server that does not stream answers in one piece, as does one that fails with status 200. */
function addWhole(draft: AnswerDraft, text: string, headers: Headers): DeltaBody[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new AnswerFault('unreadable', 'it answers with broken JSON');
  }
  throwError(json, headers);
  if (!isJsonObject(json) || !Array.isArray(json.choices)) {
    throw new AnswerFault('unreadable', 'it answers with JSON that is no chat completion');
  }
  return draft.add(json);
}
