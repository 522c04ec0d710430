import { createParser } from 'eventsource-parser';
import { APIError } from 'openai';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { isJsonObject } from '../../agent/json';

/**
 * The chunks of a streamed answer. `onBytes` is told of every piece of the body as it arrives: a server that keeps a slow
 * answer alive by comments in the stream is not silent, though no chunk comes out of it.
 * @throws APIError for an error that the server sends in the stream
 * @throws SyntaxError for a chunk that is no JSON
 */
export async function* readChunks(response: Response, onBytes: () => void): AsyncGenerator<ChatCompletionChunk> {
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  function* chunksOf(text: string): Generator<ChatCompletionChunk> {
    parser.feed(text);
    for (const data of events.splice(0)) {
      if (data.startsWith('[DONE]')) continue;
      const chunk: unknown = JSON.parse(data);
      throwError(chunk, response.headers);
      yield chunk as ChatCompletionChunk;
    }
  }
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    onBytes();
    yield* chunksOf(decoder.decode(bytes, { stream: true }));
  }
  // Some servers leave out the empty line after their last event.
  yield* chunksOf(`${decoder.decode()}\n\n`);
}

/** Throws the error that a server sends with status 200, where `json` is one. */
export function throwError(json: unknown, headers: Headers): void {
  if (!isJsonObject(json) || !json.error) return;
  const error = isJsonObject(json.error) ? json.error : { message: String(json.error) };
  throw new APIError(undefined, error, undefined, headers);
}
