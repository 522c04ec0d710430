import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { localEmbedder, missingOf } from '../../activities/tool-filter/embeddings/local-embedder';
import { embedderFolder, LOCAL_FILES } from '../../runtime/binaries/embedder-files';
import { loadRankers } from '../../workers/load/load-rankers';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-embedder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** Stands for the libraries and the weights: a token is a letter, and its vector its place in the alphabet. */
function install(): void {
  for (const file of LOCAL_FILES) put(file, '{}');
  put('node_modules/onnxruntime-node/index.js', ONNX);
  put('node_modules/@huggingface/tokenizers/index.js', TOKENIZERS);
}
const TOKENIZERS = `exports.Tokenizer = class { encode(text) { return { ids: [...text].map((c) => c.charCodeAt(0) - 96) }; } };`;
const ONNX = `
exports.Tensor = class { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } };
exports.InferenceSession = { create: async () => ({ async run({ input_ids: { data } }) {
  const state = Float32Array.from([...data].flatMap((id) => [Number(id), 1]));
  return { last_hidden_state: { data: state, dims: [1, data.length, 2] } };
} }) };`;

test('the vector of a text is the mean of those of its tokens, of which it has at most 256', async () => {
  install();
  const { signal } = new AbortController();
  const vectors = await localEmbedder(folder).embed(['ac', 'a'.repeat(256) + 'z'.repeat(99)], { kind: 'tool', signal });
  expect(vectors.map((vector) => [...vector])).toEqual([
    [2, 1],
    [1, 1],
  ]);
});

test('a cancel ends it between two texts', async () => {
  install();
  const signal = AbortSignal.abort(new Error('cancelled'));
  await expect(localEmbedder(folder).embed(['a'], { kind: 'tool', signal })).rejects.toThrow('cancelled');
});

test('a worker without it says what is missing, and ranks by words', () => {
  const before = process.env.HOLDFAST_EMBEDDER;
  process.env.HOLDFAST_EMBEDDER = folder;
  try {
    const warnings: unknown[][] = [];
    const log = { warn: (...said: unknown[]) => void warnings.push(said) };
    put('model.onnx', '');
    expect(missingOf(folder)).toEqual(LOCAL_FILES.slice(1));
    expect(loadRankers({ default: { local: 'minilm' } }, log)).toEqual({});
    expect(warnings).toEqual([
      [
        { embeddings: 'default', folder, missing: LOCAL_FILES.slice(1) },
        expect.stringContaining('Run `npm run fetch:embedder`'),
      ],
    ]);
    install();
    expect(Object.keys(loadRankers({ default: { local: 'minilm' } }, log))).toEqual(['default']);
    expect(warnings).toHaveLength(1);
  } finally {
    if (before === undefined) delete process.env.HOLDFAST_EMBEDDER;
    else process.env.HOLDFAST_EMBEDDER = before;
  }
});

test('its folder is in the cache of the user, unless the environment names one', () => {
  expect(embedderFolder({ HOME: '/home/ann' })).toBe('/home/ann/.cache/holdfast/minilm-1');
  expect(embedderFolder({ HOME: '/home/ann', XDG_CACHE_HOME: '/c' })).toBe('/c/holdfast/minilm-1');
  expect(embedderFolder({ HOLDFAST_EMBEDDER: '/e' })).toBe('/e');
});
