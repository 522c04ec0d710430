import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveModel } from 'holdfast/testing';
import { bringUp } from '../show/bring-up';
import { play as model } from './model';
import { play } from './scene';

async function main(): Promise<void> {
  const { url, close } = await serveModel(model);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-rooms-'));
  const book = join(folder, 'rooms.jsonl');
  const env = { MODEL_URL: url, ROOMS_BOOK: book };
  // With the file the Temporal server may end as well: the run is in there.
  const start = () => bringUp(join(__dirname, 'temporal.yaml'), env, { dbFile: join(folder, 'temporal.db') });
  let stage = await start();
  const restart = async () => {
    await stage.close();
    stage = await start();
    return stage.client;
  };
  await play(stage.client, restart, console.log);
  console.log(`\nIn the server's book, ${book}:\n${await readFile(book, 'utf8')}`);
  await stage.close();
  await close();
}

void main();
