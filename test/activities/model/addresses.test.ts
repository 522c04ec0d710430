import { createServer } from 'node:http';
import { serverEmbedder } from '../../../activities/tool-filter/embeddings/server-embedder';
import { closeAfterTest } from '../../close-after-test';
import { listen } from '../../kit/http-exchange';
import { ask, failureOf } from './asking';

/** A server that answers 400, and the paths that were asked for. */
async function paths(): Promise<{ url: string; asked: (string | undefined)[] }> {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(400).end(`no ${request.url}`);
  });
  const { port, close } = await listen(server);
  closeAfterTest({ close });
  return { url: `http://127.0.0.1:${port}`, asked };
}

describe('the address of a model', () => {
  it.each([
    ['', '/chat/completions'],
    ['/v1', '/v1/chat/completions'],
    ['/v1/', '/v1/chat/completions'],
    ['/v1//', '/v1/chat/completions'],
    ['/v1?api-version=2', '/v1/chat/completions?api-version=2'],
    ['/v1/?a=1&b=%2F', '/v1/chat/completions?a=1&b=%2F'],
    ['/v1#there', '/v1/chat/completions'],
  ])('%s leads to %s', async (end, path) => {
    const { url, asked } = await paths();
    await failureOf(ask({ baseUrl: `${url}${end}`, model: 'm' }));
    expect(asked).toEqual([path]);
  });

  it('with a query leads to the same one of the other API, and the error does not tell a key in it', async () => {
    const { url, asked } = await paths();
    const failure = await failureOf(ask({ baseUrl: `${url}/v1?key=hush-hush`, model: 'm', api: 'responses' }));
    expect(asked).toEqual(['/v1/responses?key=hush-hush']);
    expect(JSON.stringify([failure.message, failure.details])).not.toContain('hush');
  });

  it('with a query leads to the embeddings of an embedding model, whose error does not tell a key in it', async () => {
    const { url, asked } = await paths();
    const embedder = serverEmbedder({ baseUrl: `${url}/v1?key=hush-hush`, model: 'e' });
    const embedded = embedder.embed(['a'], { kind: 'query', signal: new AbortController().signal });
    const error = await embedded.catch((thrown: Error) => thrown);
    expect(String(error)).toContain('status 400');
    expect(String(error)).not.toContain('hush');
    expect(asked).toEqual(['/v1/embeddings?key=hush-hush']);
  });
});
