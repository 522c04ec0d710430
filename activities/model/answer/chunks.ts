import { createParser } from 'eventsource-parser';
import { APIError } from 'openai';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { isJsonObject } from '../../../agent/values/json';
import { excessOf, MAX_WRAPPED_DEPTH } from '../../json-extent';
import { AnswerFault } from '../failures/answer-fault';
import { type BodyLimits, PIECE_BYTES, piecesOf, tooLargePiece } from './body';

/** Characters passed to the parser at once: for each line it searches for `\r` and `\n` to the end of them. */
const SLICE = 4096;

/**
 * The chunks of a streamed answer.
 * @throws APIError for an error that the server sends in the stream
 * @throws SyntaxError for a chunk that is not JSON
 * @throws AnswerFault past a limit
 */
export async function* readChunks(response: Response, limits: BodyLimits): AsyncGenerator<ChatCompletionChunk> {
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  function* chunksOf(text: string): Generator<ChatCompletionChunk> {
    for (let at = 0; at < text.length; at += SLICE) {
      parser.feed(text.slice(at, at + SLICE));
      for (const data of events.splice(0)) {
        if (data.startsWith('[DONE]')) continue;
        const excess = excessOf(data, MAX_WRAPPED_DEPTH);
        if (excess !== undefined) throw new AnswerFault('unreadable', `one event of its stream is ${excess}`);
        const chunk: unknown = JSON.parse(data);
        throwError(chunk, response.headers);
        yield chunk as ChatCompletionChunk;
      }
    }
  }
  const decoder = new TextDecoder();
  /** Bytes since the last event. The parser keeps lines without an end, and the lines of an event without an end. */
  let kept = 0;
  for await (const bytes of piecesOf(response, limits)) {
    kept += bytes.length;
    for (const chunk of chunksOf(decoder.decode(bytes, { stream: true }))) {
      kept = 0;
      yield chunk;
    }
    if (kept > PIECE_BYTES) throw tooLargePiece();
  }
  // Some servers leave out the empty line after their last event.
  yield* chunksOf(`${decoder.decode()}\n\n`);
}

/** Throws the error that a server sends with status 200, if `json` is one. */
export function throwError(json: unknown, headers: Headers): void {
  if (!isJsonObject(json) || !json.error) return;
  const { error: said } = json;
  const error = isJsonObject(said) ? said : { message: typeof said === 'string' ? said : JSON.stringify(said) };
  throw new APIError(undefined, error, undefined, headers);
}
