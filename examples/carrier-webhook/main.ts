import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ScriptedModel } from 'holdfast/testing';
import { bringUp } from '../show/bring-up';
import { follow } from '../show/follow';
import { line, lineOf } from '../show/line-of';
import { shipping } from './agents';
import { startCarrier } from './carrier';
import { play } from './model';
import { postEvent } from './post-event';
import { startReceiver } from './receiver';

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;
const say = (who: string, text: string) => console.log(line(who, text));

async function main(): Promise<void> {
  const secret = newSecret();
  const model = await play(new ScriptedModel()).start();
  const receiver = await startReceiver(secret, () => client);
  const carrier = await startCarrier({
    secret,
    answersTo: receiver.url,
    planned: () => delay(2000),
    say: (text) => say('carrier', text),
  });
  const { client, close } = await bringUp(join(__dirname, 'temporal.yaml'), {
    MODEL_URL: model.url,
    CARRIER_URL: carrier.url,
    CARRIER_SECRET: secret,
  });
  const run = await client.start(shipping, { input: { order: 'A-17', address: 'Elm Street 5' } });
  await follow(client, 'shop', run.id, async (who, fact) => {
    const told = lineOf(who, fact);
    if (told !== undefined) console.log(told);
    if (fact.type !== 'service.called') return;
    const forged = {
      type: 'evt.parcel.pickup.success',
      subject: run.id,
      parentid: fact.ref,
      data: { tracking: 'TRK-0' },
    };
    say('thief', `answers as the carrier, and is told ${await postEvent(receiver.url, newSecret(), forged)}`);
  });
  say('customer', `← Your parcel is ${(await run.result()).data.tracking}.`);
  await close();
  await model.close();
  carrier.close();
  receiver.close();
}

void main();
