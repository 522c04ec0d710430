import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveModel } from 'holdfast/testing';
import { bringUp } from '../show/bring-up';
import { follow } from '../show/follow';
import { lineOf } from '../show/line-of';
import { office } from './agents';
import { play as model } from './model';
import { play, WISH } from './scene';

/** With `--by-hand` nothing is stopped, and you answer the questions. */
async function main(byHand: boolean): Promise<void> {
  const { url, close } = await serveModel(model);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-rooms-'));
  const book = join(folder, 'rooms.jsonl');
  const env = { MODEL_URL: url, ROOMS_BOOK: book };
  // The file holds the run, so the Temporal server may be stopped too.
  const start = () => bringUp(join(__dirname, 'temporal.yaml'), env, { dbFile: join(folder, 'temporal.db') });
  let stage = await start();
  const restart = async () => {
    await stage.close();
    stage = await start();
    return stage.client;
  };
  if (byHand) {
    const { id } = await stage.client.start(office, { input: { wish: WISH } });
    console.log(`In a second terminal:\n  TEMPORAL_ADDRESS=${stage.server.address} npx holdfast inbox`);
    await follow(stage.client, 'office', id, (who, fact) => {
      const told = lineOf(who, fact);
      if (told !== undefined) console.log(told);
    });
  } else await play(stage.client, restart, console.log);
  console.log(`\nIn the server's book, ${book}:\n${(await readFile(book, 'utf8')).trimEnd()}`);
  await stage.close();
  await close();
}

void main(process.argv.includes('--by-hand'));
