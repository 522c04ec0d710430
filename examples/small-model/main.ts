import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { serveModel } from 'holdfast/testing';
import { freshFolder } from '../screenshots/folder';
import { bringUp } from '../show/bring-up';
import { play as model } from './model';
import { play } from './play';
import { VARIANTS } from './variants';

/** Plays one variant after the other. Returns how many did not end as they should. */
async function main(): Promise<number> {
  const { url, close } = await serveModel(model);
  // A port at which a moment ago something listened.
  const down = await serveModel(model);
  await down.close();
  const folder = await freshFolder();
  const calls = `${folder}.jsonl`;
  const env = { MODEL_URL: url, DOWN_URL: down.url, SCREENSHOTS_FOLDER: folder, CALLS_FILE: calls };
  const stage = await bringUp(join(__dirname, 'temporal.yaml'), env);
  try {
    let failed = 0;
    for (const variant of VARIANTS) {
      const { problems } = await play(stage.client, { folder, calls }, variant, console.log);
      if (problems.length > 0) failed++;
      console.log();
    }
    return failed;
  } finally {
    await stage.close();
    await close();
    await rm(folder, { recursive: true });
    await rm(calls, { force: true });
  }
}

void main().then((failed) => {
  console.log(failed === 0 ? 'All ended as they should.' : `${failed} did not end as they should.`);
  process.exit(failed === 0 ? 0 : 1);
});
