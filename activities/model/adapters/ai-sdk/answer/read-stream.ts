import type { ModelCall } from '../../../../../agent/model/adapter';
import { isJsonObject } from '../../../../../agent/values/json';
import { Turns } from '../../../../take-turns';
import { AnswerFault } from '../../../failures/answer-fault';
import type { AiSdkModel, AiSdkStream } from '../language-model';
import type { CallOptions } from '../request/prompt-form';
import { eventError } from '../said-error';
import { type Hearing, listening } from '../signs-of-life';
import { JsonBody } from './json-body';
import { StreamEnd } from './stream-end';

/** Parts that a provider's object makes also if its provider sends nothing. */
const OWN: ReadonlySet<unknown> = new Set(['stream-start', 'finish', 'error']);

/** A stream of lines, as of Ollama. Its package leaves out an error in one of them. */
const LINES = /ndjson|jsonl|json-seq/;

/**
 * The parts of an answer, as a provider's object gives them. An abort cancels its stream, also if the object ignores it.
 * @throws AnswerFault for an object that returns no stream, and for a server that answers with something else
 */
export async function* readStream(
  model: AiSdkModel,
  options: CallOptions,
  call: ModelCall & Pick<Hearing, 'sent'>,
): AsyncGenerator<unknown> {
  const { signal, connected, alive, sent } = call;
  const end = new StreamEnd();
  const stop = () => end.end(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let isOver = false;
  try {
    const body = new JsonBody();
    const hearing = { sent, alive, json: (bytes: Uint8Array) => body.add(bytes) };
    const { stream, response } = await listening(hearing, () => opened(model, { ...options, abortSignal: end.signal }));
    connected();
    const type = response?.headers?.['content-type'] ?? '';
    const reader = stream.getReader();
    end.opened(() => reader.cancel());
    if (signal.aborted) stop();
    if (type.includes('html')) throw new AnswerFault('foreign', `it answers with ${type}`);
    const isWhole = /json|text\/plain/.test(type) && !LINES.test(type);
    const events = yield* partsOf(reader, { alive, isWhole });
    isOver = events > 0;
    if (signal.aborted || (isOver && !LINES.test(type))) return;
    const error = eventError(body.value);
    if (error !== undefined) throw error;
    if (isWhole) throw new AnswerFault('foreign', `it answers with ${type} instead of a stream`);
  } finally {
    signal.removeEventListener('abort', stop);
    // After the end it would do nothing, and an abort is expensive.
    if (!isOver) stop();
  }
}

/** @returns how many events there were. It ends before an error that follows none, where the answer is not a stream. */
async function* partsOf(
  reader: ReturnType<AiSdkStream['stream']['getReader']>,
  { alive, isWhole }: { alive(): void; isWhole: boolean },
): AsyncGenerator<unknown, number> {
  const turns = new Turns();
  let events = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const part = next.value;
    if (!isJsonObject(part) || !OWN.has(part.type)) {
      events++;
      alive();
    } else if (isWhole && part.type === 'error' && events === 0) break;
    const began = performance.now();
    yield part;
    await turns.take(began);
  }
  return events;
}

async function opened(model: AiSdkModel, options: CallOptions): Promise<AiSdkStream> {
  // The object reads the options of its version, which these are.
  const answer: unknown = await model.doStream(options as never);
  if (hasStream(answer)) return answer;
  throw new AnswerFault('unreadable', 'the object of its AI SDK provider returns no stream');
}

function hasStream(answer: unknown): answer is AiSdkStream {
  return isJsonObject(answer) && isJsonObject(answer.stream) && typeof answer.stream.getReader === 'function';
}
