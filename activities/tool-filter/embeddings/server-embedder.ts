import { z } from 'zod';
import type { EmbeddingServer } from '../../../agent/tool-filter/embedding-model';
import { within } from '../../../runtime/abort/within';
import { sameOriginFetch } from '../../../runtime/same-origin-fetch';
import { hideSecrets } from '../../../runtime/secrets/redact';
import { credentialsOf, urlSecrets } from '../../../runtime/secrets/secret-values';
import { urlBelow } from '../../../runtime/url-below';
import { tlsMismatch } from '../../failures/tls-mismatch';
import { EMBED_TIMEOUT, type Embedder } from './embedder';

/** Texts of one request: the least that a common server (TEI) takes by default. */
const BATCH = 32;
/** Bytes of one answer: 32 vectors of 4,096 numbers are about 3 MB. */
const MAX_ANSWER = 16 * 1024 * 1024;
/** Characters of an error page that are kept. */
const MAX_ERROR = 120;

const answerForm = z.object({
  data: z.array(z.object({ index: z.int().min(0).optional(), embedding: z.array(z.number()).min(1) })),
});

/** An embedding model behind a server with OpenAI's API. */
export function serverEmbedder(server: EmbeddingServer): Embedder {
  const { baseUrl, model, apiKey, headers = {}, queryPrefix = '', toolPrefix = '', timeout = EMBED_TIMEOUT } = server;
  const url = urlBelow(baseUrl, 'embeddings');
  const secrets = [
    apiKey ?? [],
    urlSecrets(baseUrl),
    Object.values(headers).flatMap((value) => credentialsOf(value)),
  ].flat();
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  return {
    id: [url, model, queryPrefix, toolPrefix].join('\n'),
    batch: BATCH,
    async embed(texts, { kind, signal }) {
      const prefix = kind === 'query' ? queryPrefix : toolPrefix;
      try {
        return await within(timeout, signal, async (timed) => {
          const response = await sameOriginFetch(url, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...authorization, ...headers },
            body: JSON.stringify({ model, input: texts.map((text) => prefix + text) }),
            signal: timed,
          });
          const body = await readText(response);
          if (!response.ok) throw new Error(`status ${response.status}: ${body.slice(0, MAX_ERROR)}`);
          return vectorsIn(body);
        });
      } catch (error) {
        throw new Error(hideSecrets(`${new URL(url).origin}: ${problemOf(error, url)}`, secrets));
      }
    },
  };
}

/** In the order of the texts: servers may answer in another one. */
function vectorsIn(body: string): number[][] {
  const parsed = answerForm.safeParse(JSON.parse(body));
  if (!parsed.success) throw new Error('its answer has no list of embeddings');
  const { data } = parsed.data;
  return data
    .map(({ index, embedding }, i) => ({ place: index ?? i, embedding }))
    .sort((a, b) => a.place - b.place)
    .map(({ embedding }) => embedding);
}

async function readText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > MAX_ANSWER) throw new Error(`its answer has more than ${MAX_ANSWER} bytes`);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** The cause says more than "fetch failed". */
function problemOf(error: unknown, url: string): string {
  if (error instanceof SyntaxError) return 'its answer is not JSON';
  const { cause, message } = error instanceof Error ? error : { cause: undefined, message: String(error) };
  if (!(cause instanceof Error)) return message;
  const { code } = cause as NodeJS.ErrnoException;
  return tlsMismatch(cause, url) ?? code ?? cause.message;
}
