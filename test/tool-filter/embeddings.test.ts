import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { aiSdkEmbedder } from '../../activities/tool-filter/embeddings/ai-sdk-embedder';
import { embeddingRanker } from '../../activities/tool-filter/embeddings/embedding-ranker';
import { serverEmbedder } from '../../activities/tool-filter/embeddings/server-embedder';
import { rankTools } from '../../activities/tool-filter/ranker';
import { Rankers } from '../../activities/tool-filter/rankers';
import type { RankedTool } from '../../agent/tool-filter/tool-text';
import { closeAfterTest } from '../close-after-test';
import { listen } from '../kit/http-exchange';
import { selfSigned } from '../self-signed';

const tool = (name: string, description: string): RankedTool => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { path: {} } },
});
const TOOLS = [tool('dogs.walk', 'Walk the dog'), tool('cars.wash', 'Wash the car'), tool('boats.row', 'Row')];

/** What each text is about: the number of the word in it. */
const MEANS: readonly RegExp[] = [/dog|puppy/i, /car|vehicle/i, /boat|canoe/i];
const vectorOf = (text: string) => MEANS.map((word) => (word.test(text) ? 3 : 0.5));

interface Asked {
  path: string | undefined;
  authorization: string | undefined;
  body: { model: string; input: string[] };
}
type Reply = (asked: Asked) => { status?: number; body: string } | 'silence';

const vectors: Reply = ({ body }) => ({
  // In the opposite order, as a server may.
  body: JSON.stringify({
    data: body.input.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse(),
  }),
});

async function serve(reply: Reply): Promise<{ baseUrl: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const one = { path: request.url, authorization: request.headers.authorization, body: JSON.parse(text) };
    asked.push(one);
    const said = reply(one);
    if (said !== 'silence') response.writeHead(said.status ?? 200).end(said.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterTest({
    async close() {
      server.closeAllConnections();
      server.close();
    },
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, asked };
}

const names = ({ tools }: { tools: readonly RankedTool[] }) => tools.map(({ name }) => name);

describe('an embedding model behind a server', () => {
  const about = { kind: 'tool', signal: new AbortController().signal } as const;

  test('without TLS at an address with it, and the other way round, is told in words', async () => {
    const { baseUrl } = await serve(vectors);
    const secret = serverEmbedder({ baseUrl: baseUrl.replace('http:', 'https:'), model: 'm' });
    await expect(secret.embed(['dog'], about)).rejects.toThrow(
      /^https:.*: it does not speak TLS at this port, and may expect `http:`$/,
    );
    const pem = await selfSigned();
    const { port, close } = await listen(createTlsServer({ key: pem, cert: pem }));
    closeAfterTest({ close });
    const plain = serverEmbedder({ baseUrl: `http://127.0.0.1:${port}/v1`, model: 'm' });
    await expect(plain.embed(['dog'], about)).rejects.toThrow(
      /^http:.*: it closed the connection without an answer, and may expect `https:`$/,
    );
  });

  test('ranks tools by meaning, and embeds each text once', async () => {
    const { baseUrl, asked } = await serve(vectors);
    const ranker = embeddingRanker('any', serverEmbedder({ baseUrl, model: 'm', apiKey: 'k', queryPrefix: 'query: ' }));
    expect(names(await rankTools('my puppy is bored', TOOLS, 1, { ranker }))).toEqual(['dogs.walk']);
    expect(names(await rankTools('clean the vehicle', TOOLS, 1, { ranker }))).toEqual(['cars.wash']);
    expect(names(await rankTools('my puppy is bored', TOOLS, 1, { ranker }))).toEqual(['dogs.walk']);
    expect(asked.map(({ body }) => body.input)).toEqual([
      ['query: my puppy is bored'],
      ['dogs walk. Walk the dog. path', 'cars wash. Wash the car. path', 'boats row. Row. path'],
      ['query: clean the vehicle'],
    ]);
    expect(asked[0]).toMatchObject({ path: '/v1/embeddings', authorization: 'Bearer k', body: { model: 'm' } });
  });

  test('is asked for 32 texts at once, and keeps those that came before a failure', async () => {
    const many = Array.from({ length: 70 }, (_, n) => tool(`tool_${n}`, 'Does it'));
    let left = 3;
    const { baseUrl, asked } = await serve((one) => (left-- > 0 ? vectors(one) : { status: 503, body: 'busy' }));
    const ranker = embeddingRanker('any', serverEmbedder({ baseUrl, model: 'm' }));
    await expect(ranker.score('it', many)).rejects.toThrow('status 503: busy');
    left = 10;
    await ranker.score('it', many);
    expect(asked.map(({ body }) => body.input.length)).toEqual([1, 32, 32, 6, 6]);
  });

  test.each<[what: string, reply: Reply, problem: RegExp, timeout?: number]>([
    ['a status', () => ({ status: 401, body: 'bad key sk-secret-key-123' }), /status 401: bad key /],
    ['a page', () => ({ body: '<html>' }), /its answer is not JSON/],
    ['another form', () => ({ body: '{"data":[{"embedding":"x"}]}' }), /no list of embeddings/],
    ['too few vectors', () => ({ body: '{"data":[]}' }), /0 vectors for 1 texts/],
    ['a vector of zeros', () => ({ body: '{"data":[{"embedding":[0,0]}]}' }), /without a direction/],
    [
      'vectors of other lengths',
      ({ body: { input } }) => ({
        body: JSON.stringify({ data: input.map((text) => ({ embedding: text === 'dog' ? [1, 2] : [1] })) }),
      }),
      /vectors of 2 and of 1 numbers/,
    ],
    ['nothing in time', () => 'silence', /no answer in 200 ms/, 200],
  ])('fails on %s, and its key is not in the message', async (_, reply, problem, timeout = 30_000) => {
    const { baseUrl } = await serve(reply);
    const apiKey = 'sk-secret-key-123';
    const ranker = embeddingRanker('any', serverEmbedder({ baseUrl, model: 'm', apiKey, timeout }));
    const error = await ranker.score('dog', TOOLS).catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toMatch(problem);
    expect(String(error)).not.toContain(apiKey);
  });
});

test('an embedding model of the AI SDK gets as many texts at once as it takes', async () => {
  const calls: string[][] = [];
  const model = {
    provider: 'some.embedding',
    modelId: 'm',
    maxEmbeddingsPerCall: 2,
    async doEmbed({ values }: { values: string[]; abortSignal?: AbortSignal }) {
      calls.push(values);
      return { embeddings: values.map(vectorOf) };
    },
  };
  const ranker = embeddingRanker('any', aiSdkEmbedder(model));
  expect(names(await rankTools('a canoe', TOOLS, 1, { ranker }))).toEqual(['boats.row']);
  expect(calls.map(({ length }) => length)).toEqual([1, 2, 1]);
});

describe('the rankers of a worker', () => {
  const log = () => {
    const warnings: unknown[][] = [];
    return { warnings, warn: (...said: unknown[]) => void warnings.push(said) };
  };

  test('fall back to words while embeddings fail, warn once, and ask again later', async () => {
    let up = false;
    const { baseUrl, asked } = await serve((one) => (up ? vectors(one) : { status: 500, body: 'down' }));
    const ranker = embeddingRanker('mine', serverEmbedder({ baseUrl, model: 'm' }));
    const said = log();
    let time = 0;
    const rankers = new Rankers({ mine: ranker }, said, () => time);
    const rank = () => rankers.rank('wash the car', TOOLS, 1, { ranker: 'mine' });
    const down = {
      ranker: 'bm25',
      matches: 1,
      tools: [TOOLS[1]],
      problem: expect.stringContaining('status 500: down'),
    };
    expect(await rank()).toEqual(down);
    expect(await rank()).toEqual(down);
    expect(asked).toHaveLength(1);
    expect(said.warnings).toHaveLength(1);
    up = true;
    time = 60_000;
    expect(await rank()).toEqual({ ranker: 'mine', matches: 1, tools: [TOOLS[1]] });
  });

  test('use the alias `default` for agents that name none, and words if there is none', async () => {
    const { baseUrl } = await serve(vectors);
    const ranker = embeddingRanker('default', serverEmbedder({ baseUrl, model: 'm' }));
    expect(await new Rankers({ default: ranker }, log()).rank('puppy', TOOLS, 1)).toMatchObject({ ranker: 'default' });
    const byWords = await new Rankers({}, log()).rank('puppy', TOOLS, 1);
    expect(byWords).toMatchObject({ ranker: 'bm25', matches: 0 });
    expect(byWords).not.toHaveProperty('problem');
  });

  test('say that a worker lacks the embeddings which the agent names', async () => {
    expect(await new Rankers({}, log()).rank('car', TOOLS, 1, { ranker: 'mine' })).toMatchObject({
      ranker: 'bm25',
      problem: 'this worker has no embeddings `mine`',
    });
  });

  test('do not go on after a cancel', async () => {
    const { baseUrl } = await serve(() => 'silence');
    const rankers = new Rankers({ default: embeddingRanker('d', serverEmbedder({ baseUrl, model: 'm' })) }, log());
    const stop = new AbortController();
    const ranked = rankers.rank('car', TOOLS, 1, { signal: stop.signal });
    stop.abort(new Error('cancelled'));
    await expect(ranked).rejects.toThrow();
  });
});
