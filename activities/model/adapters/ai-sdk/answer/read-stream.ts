import type { ModelCall } from '../../../../../agent/model/adapter';
import { isJsonObject } from '../../../../../agent/values/json';
import { Turns } from '../../../../take-turns';
import { AnswerFault } from '../../../failures/answer-fault';
import type { AiSdkModel, AiSdkStream } from '../language-model';
import type { CallOptions } from '../request/prompt-form';
import { eventError } from '../said-error';
import { listening } from '../signs-of-life';
import { JsonBody } from './json-body';

/** Parts that a provider's object makes also if its provider sends nothing. */
const OWN: ReadonlySet<unknown> = new Set(['stream-start', 'finish', 'error']);

/**
 * The parts of an answer, as a provider's object gives them. An abort cancels its stream, also if the object ignores it.
 * @throws AnswerFault for an object that returns no stream, and for a server that answers with something else
 */
export async function* readStream(model: AiSdkModel, options: CallOptions, call: ModelCall): AsyncGenerator<unknown> {
  const { signal, connected, alive } = call;
  const body = new JsonBody();
  const hearing = { alive, json: (bytes: Uint8Array) => body.add(bytes) };
  const { stream, response } = await listening(hearing, () => opened(model, options));
  connected();
  const type = response?.headers?.['content-type'] ?? '';
  if (type.includes('html')) throw new AnswerFault('foreign', `it answers with ${type}`);
  const reader = stream.getReader();
  // A failure to cancel tells nothing: what the stream threw is known.
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const turns = new Turns();
  let events = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const part = next.value;
      if (!isJsonObject(part) || !OWN.has(part.type)) {
        events++;
        alive();
      } else if (part.type === 'error' && events === 0 && isJson(type)) break;
      const began = performance.now();
      yield part;
      await turns.take(began);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
  if (events > 0 || signal.aborted || !(isJson(type) || type.includes('text/plain'))) return;
  throw eventError(body.value) ?? new AnswerFault('foreign', `it answers with ${type} instead of a stream`);
}

function isJson(type: string): boolean {
  return type.includes('json');
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
