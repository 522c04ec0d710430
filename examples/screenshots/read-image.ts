import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createWorker, type Page, type Worker } from 'tesseract.js';

/** Reads the text of pictures, one after the other. */
export interface ImageReader {
  /** @throws Error with one line about the problem with the file */
  read(path: string): Promise<string>;
  /** Ends the OCR engine. Pictures that are still in the queue fail. */
  close(): Promise<void>;
}

/** OCR also reads window buttons and icons as words, mostly under 60 %. Real words are mostly above 85 %. */
const SURE = 60;

/** A screenshot of a large screen has about 10 MB. */
const MAX_BYTES = 30_000_000;

/** An OCR engine that starts with the first picture, which takes about half a second, and then keeps running. */
export function createImageReader(): ImageReader {
  let worker: Promise<Worker> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;

  async function recognize(image: Buffer): Promise<string> {
    if (closed) throw new Error('the OCR engine was closed');
    worker ??= startWorker();
    const engine = await worker;
    try {
      return sureText((await engine.recognize(image, {}, { text: false, blocks: true })).data);
    } catch (error) {
      // A picture that breaks the engine must not affect the next one.
      worker = undefined;
      await engine.terminate();
      throw new Error(`the picture is damaged (${error instanceof Error ? error.message : String(error)})`);
    }
  }

  return {
    async read(path) {
      const image = await load(path);
      const text = queue.then(() => recognize(image));
      queue = text.catch(() => undefined);
      return text;
    },
    async close() {
      closed = true;
      await (await worker?.catch(() => undefined))?.terminate();
      worker = undefined;
    },
  };
}

/** Everything comes from npm packages: nothing is downloaded, nothing is cached. */
function startWorker(): Promise<Worker> {
  const data = dirname(require.resolve('@tesseract.js-data/eng/package.json'));
  return createWorker('eng', 1, {
    langPath: join(data, '4.0.0_best_int'),
    gzip: true,
    cacheMethod: 'none',
    // Without a handler tesseract.js also throws an error that cannot be caught, and the process dies.
    errorHandler: () => undefined,
  });
}

function sureText({ blocks }: Page): string {
  const lines = (blocks ?? []).flatMap((block) => block.paragraphs).flatMap((paragraph) => paragraph.lines);
  return lines
    .map(({ words }) => words.filter(({ confidence }) => confidence >= SURE).map(({ text }) => text))
    .filter((words) => words.length > 0)
    .map((words) => words.join(' '))
    .join('\n');
}

async function load(path: string): Promise<Buffer> {
  const info = await stat(path).catch(() => undefined);
  if (info === undefined) throw new Error('there is no such file');
  if (!info.isFile()) throw new Error('it is not a file');
  if (info.size > MAX_BYTES) throw new Error(`it has ${info.size} bytes, more than ${MAX_BYTES}`);
  const bytes = await readFile(path);
  if (!isImage(bytes)) throw new Error('it is not a picture (PNG, JPEG, BMP or WebP)');
  return bytes;
}

function isImage(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 12);
  return (
    ['\x89PNG\r\n', '\xff\xd8\xff', 'BM'].some((magic) => start.startsWith(magic)) || /^RIFF.{4}WEBP$/s.test(start)
  );
}
