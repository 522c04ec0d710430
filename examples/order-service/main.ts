import { join } from 'node:path';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { ScriptedModel } from 'holdfast/testing';
import { bringUp } from '../show/bring-up';
import { follow } from '../show/follow';
import { lineOf } from '../show/line-of';
import { orders } from './agents';
import { play } from './model';
import { createStockWorker } from './stock/worker';

const wish = 'Two lamps, please.';

async function main(): Promise<void> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const model = await play(new ScriptedModel()).start();
  const { client, server, close } = await bringUp(join(__dirname, 'temporal.yaml'), { MODEL_URL: model.url });
  const connection = await NativeConnection.connect({ address: server.address });
  const stock = await createStockWorker(connection);
  await stock.runUntil(async () => {
    const run = await client.start(orders, { input: { wish } });
    console.log(`customer “ ${wish}`);
    await follow(client, 'shop', run.id, (who, fact) => {
      const line = lineOf(who, fact);
      if (line !== undefined) console.log(line);
    });
    const { accepted, why } = (await run.result()).data;
    console.log(`customer ← ${accepted ? 'Accepted.' : 'Not accepted.'} ${why}`);
  });
  await connection.close();
  await close();
  await model.close();
}

void main();
