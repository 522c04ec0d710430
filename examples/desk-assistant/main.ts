import { join } from 'node:path';
import { serveModel } from 'holdfast/testing';
import { bringUp } from '../show/bring-up';
import { newFolder } from './folder';
import { newModel } from './model';
import { play } from './scene';

/** With `--by-hand` you are the person. */
async function main(byHand: boolean): Promise<void> {
  const model = await serveModel(newModel());
  const folder = await newFolder();
  const { client, server, close } = await bringUp(join(__dirname, 'temporal.yaml'), {
    MODEL_URL: model.url,
    DESK_FOLDER: folder,
  });
  if (byHand) {
    const chat = `TEMPORAL_ADDRESS=${server.address} npx holdfast chat desk.assistant`;
    console.log(
      `The folder is ${folder}. In a second terminal:\n  cd examples/desk-assistant && ${chat}\nCtrl-C ends all.`,
    );
    await new Promise(() => {});
  }
  await play(client, folder, console.log);
  await close();
  await model.close();
}

void main(process.argv.includes('--by-hand'));
