import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { follow } from '../show/follow';
import { line, lineOf } from '../show/line-of';
import { shipping } from './agents';
import { startCarrier } from './carrier';
import { play } from './model';
import { postEvent } from './post-event';
import { startReceiver } from './receiver';

const secret = 'whsec_UExBTlRFRHNpZ25pbmdrZXlQTEFOVEVE';
const lines: string[] = [];
let plan = () => {};
const tour = new Promise<void>((resolve) => {
  plan = resolve;
});

let kit: AgentTestEnvironment;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let carrier: Awaited<ReturnType<typeof startCarrier>>;
beforeAll(async () => {
  receiver = await startReceiver(secret, () => kit.client);
  const say = (text: string) => void lines.push(line('carrier', text));
  carrier = await startCarrier({ secret, answersTo: receiver.url, planned: () => tour, say });
  process.env.CARRIER_SECRET = secret;
  const outlets = { carrier: { url: carrier.url, secret: { env: 'CARRIER_SECRET' } } };
  kit = await createAgentTestEnvironment({ agents: [shipping], outlets });
});
afterAll(async () => {
  await kit.close();
  carrier.close();
  receiver.close();
});

it('runs as the README shows: the answer of the carrier is accepted, a forged one is not', async () => {
  play(kit.model);
  const run = await kit.start(shipping, { id: 'parcel-1', input: { order: 'A-17', address: 'Elm Street 5' } });
  const {
    services: [call],
  } = await run.waiting({ atLeast: { services: 1 } });
  const forged = {
    type: 'evt.parcel.pickup.success',
    subject: run.id,
    parentid: call.ref,
    data: { tracking: 'TRK-0' },
  };
  expect(await postEvent(receiver.url, 'whsec_Zm9yZ2Vk', forged)).toBe(401);
  plan();
  await follow(kit.client, 'shop', run.id, (who, fact) => {
    const told = lineOf(who, fact);
    if (told !== undefined) lines.push(told);
  });
  expect((await run.result()).data).toEqual({ tracking: 'TRK-88' });
  const readme = readFileSync(join(__dirname, 'README.md'), 'utf8');
  for (const told of lines) expect(readme).toContain(told);
  kit.model.assertDone();
  await kit.replay(run);
});

it('the carrier refuses an unsigned order', async () => {
  expect((await fetch(carrier.url, { method: 'POST', body: '{}' })).status).toBe(401);
});

it('an answer that comes after the end is refused for good', async () => {
  const late = { type: 'evt.parcel.pickup.success', subject: 'parcel-1', data: { tracking: 'TRK-88', day: 'Friday' } };
  expect(await postEvent(receiver.url, secret, late)).toBe(410);
});
