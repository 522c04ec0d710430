import { isJsonObject } from '../../agent/json';

/**
 * `fetch` that tells of every piece of a body as it arrives. A server that keeps a slow answer alive by comments in the
 * stream is not silent, though no chunk comes out of it.
 */
export function watchedFetch(onBytes: () => void): typeof fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    onBytes();
    if (!response.ok) return withOpenAiError(response);
    if (response.body === null) return response;
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, out) {
          onBytes();
          out.enqueue(bytes);
        },
      }),
    );
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
}

/** Errors of vLLM, FastAPI servers and Gemini have other shapes, of which the client would drop the message. */
async function withOpenAiError(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const text = await response.text();
  let body = text;
  try {
    body = JSON.stringify(inOpenAiShape(JSON.parse(text)));
  } catch {
    // No JSON: the client shows the text itself.
  }
  return new Response(body, { status, statusText, headers });
}

function inOpenAiShape(json: unknown): unknown {
  const value = Array.isArray(json) ? json[0] : json;
  if (!isJsonObject(value) || value.error !== undefined) return value;
  if (typeof value.message === 'string') return { error: value };
  return value.detail === undefined ? value : { error: { message: value.detail } };
}
