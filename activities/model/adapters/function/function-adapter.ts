import type { ModelAdapter, ModelPart, ModelRequest } from '../../../../agent/model/adapter';
import { UNNAMED } from '../../../../agent/model/names/function-name';
import { Turns } from '../../../take-turns';
import { AnswerFault } from '../../failures/answer-fault';
import { ModelServerError } from '../../failures/server-error';
import { errorIn } from '../openai/error-body';
import { checkedPart, jsonCopy, kindOf } from './checked-part';

/** How a function answers: parts, or lists of parts that arrived together. */
export type ModelStream = (
  request: ModelRequest,
  call: { signal: AbortSignal },
) => AsyncIterable<ModelPart | readonly ModelPart[]>;

/** How a function is written that answers in pieces. */
export const GENERATOR = '`async *stream(request, { signal }) { … }`';

/** Asks a function of the user. It is not trusted: its parts are checked, and an abort leaves it at once. */
export function functionAdapter(stream: ModelStream, name = UNNAMED, secrets: readonly string[] = []): ModelAdapter {
  return {
    kind: 'function',
    provider: name,
    secrets: () => secrets,
    async *stream(request, { signal, alive }) {
      const turns = new Turns();
      let parts = 0;
      let isFinished = false;
      try {
        for await (const yielded of opened(stream, request, signal)) {
          const began = performance.now();
          const checked = (Array.isArray(yielded) ? yielded : [yielded]).map((part) => checkedPart(part, ++parts));
          isFinished ||= checked.some(({ type }) => type === 'finish');
          // An empty list says that the provider is at work.
          if (checked.length > 0) yield [checked];
          else alive();
          await turns.take(began);
        }
      } catch (error) {
        if (signal.aborted) return;
        throw serverErrorIn(error);
      }
      if (isFinished || signal.aborted) return;
      const after = parts === 0 ? 'without a part' : `after part ${parts}`;
      throw new AnswerFault(
        'unfinished',
        `it ended ${after}: the last part must be \`{ type: 'finish', reason: 'stop' }\``,
      );
    },
  };
}

/** What a function yields. The reader of an answer leaves it on an abort, also if the function ignores the signal. */
function opened(stream: ModelStream, request: ModelRequest, signal: AbortSignal): AsyncIterable<unknown> {
  // Copies: what the function does to them must not reach the transcript, from which later calls are made.
  const { messages, tools } = structuredClone({ messages: request.messages, tools: request.tools });
  const iterable: unknown = stream({ ...request, messages, tools }, { signal });
  if (isAsyncIterable(iterable)) return iterable;
  // A promise that is rejected later would end the worker.
  if (iterable instanceof Promise) iterable.catch(() => undefined);
  const what = `it has to return an async iterable of parts, as ${GENERATOR} does`;
  throw new AnswerFault('unreadable', `${what}, and it returned ${kindOf(iterable)}`);
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** An error with a `status` is the provider's answer, whatever its class; any other stays as it is. */
function serverErrorIn(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  if (error instanceof AnswerFault || error instanceof ModelServerError) return error;
  // Anything may have been thrown, such as the error of another client.
  const { status, code, headers, retryAfter, message } = error as { readonly [field: string]: unknown };
  const isSaid = typeof message === 'string';
  if (typeof status !== 'number') return isSaid ? error : new Error(saidIn(error) ?? withoutWords(error));
  return new ModelServerError(isSaid ? message : (saidIn(error) ?? ''), {
    status,
    code: typeof code === 'string' ? code : '',
    headers: isHeaders(headers) ? headers : undefined,
    retryAfter: typeof retryAfter === 'number' ? retryAfter : undefined,
  });
}

/** The message in a thrown object that is the body of an answer: `throw await response.json()`. */
function saidIn(thrown: object): string | undefined {
  const message = errorIn(jsonCopy(thrown))?.message;
  return typeof message === 'string' && message !== '' ? message : undefined;
}

/** Its values are not shown: one of them may be a key. */
function withoutWords(thrown: object): string {
  const names = Object.keys(thrown).slice(0, 5);
  const fields = names.map((name) => `\`${name.slice(0, 40)}\``).join(', ');
  return `it threw an object without a \`message\`${fields === '' ? '' : `, with ${fields}`}`;
}

function isHeaders(value: unknown): value is Headers {
  return typeof value === 'object' && value !== null && 'get' in value && typeof value.get === 'function';
}
