import { join } from 'node:path';
import { serveModel } from 'holdfast/testing';
import { bringUp } from '../show/bring-up';
import { newFolder } from './folder';
import { newModel } from './model';
import { play } from './scene';

async function main(): Promise<void> {
  const model = await serveModel(newModel());
  const folder = await newFolder();
  const { client, close } = await bringUp(join(__dirname, 'temporal.yaml'), {
    MODEL_URL: model.url,
    DESK_FOLDER: folder,
  });
  await play(client, folder, console.log);
  await close();
  await model.close();
}

void main();
