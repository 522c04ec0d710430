import { join } from 'node:path';
import { serveModel } from 'holdfast/testing';
import { bringUp } from '../show/bring-up';
import { follow } from '../show/follow';
import { lineOf } from '../show/line-of';
import { desk } from './agents';
import { play } from './model';
import { decide } from './people';

const mail = 'A-17 was charged twice! And since Monday the lamp does not turn on.';

/** With `--by-hand` only the users of approve.ts decide. */
async function main(byHand: boolean): Promise<void> {
  const model = await serveModel(play);
  const { client, server, close } = await bringUp(join(__dirname, 'temporal.yaml'), { MODEL_URL: model.url });
  const run = await client.start(desk, { input: { mail } });
  console.log(`customer “ ${mail}`);
  const decideBy = `TEMPORAL_ADDRESS=${server.address} npx jiti examples/support-triage/approve.ts`;
  if (byHand) console.log(`In a second terminal:\n  ${decideBy} ann finance\n  ${decideBy} tom workshop`);
  await follow(client, 'desk', run.id, async (who, fact, asking) => {
    const line = lineOf(who, fact);
    if (line !== undefined) console.log(line);
    if (fact.type === 'approval.requested' && !byHand) await decide(asking, fact);
  });
  console.log(`customer ← ${(await run.result()).data.reply}`);
  await close();
  await model.close();
}

void main(process.argv.includes('--by-hand'));
