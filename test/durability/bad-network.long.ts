import { AgentClient } from '../../client/agent-client';
import { loadConfig } from '../../runtime/config/config';
import { Relay } from '../relay';
import { type Disturbed, disturb, RUNS, SEED } from './stage/disturb';
import { followSixTurns } from './stage/six-turns';
import { Stage } from './stage/stage';

const brokenUp = (relay: Relay): Disturbed => ({
  faults: {
    drop: () => relay.drop(),
    silence: () => relay.fallSilent(),
    freeze: () => relay.freeze(),
    refusal: () => relay.refuse(),
  },
  heal: () => relay.open(),
});

it(`loses nothing of ${RUNS} runs while connections of workers and clients break, freeze and fall silent`, async () => {
  const stage = await Stage.open();
  const { address } = stage.server;
  const relays = await Promise.all([Relay.to(address), Relay.to(address), Relay.to(address)]);
  const [ofFirst, ofSecond, ofClient] = relays as [Relay, Relay, Relay];
  const config = await loadConfig({ cwd: '/', env: { TEMPORAL_ADDRESS: ofClient.address } });
  // For minutes, hardly a query finds both its reader's connection and that of the worker it goes to in order.
  const client = await AgentClient.connect({ config, workerTimeout: 300_000 });
  await Promise.all([ofFirst, ofSecond].map((relay) => stage.worker({ address: relay.address })));
  const faults = disturb(relays.map(brokenUp), SEED);
  try {
    const found = await followSixTurns(stage, client, RUNS);
    console.info({ seed: SEED, faults: await faults.end(), ...found });
  } finally {
    await faults.end();
    await client.close();
    await stage.close();
    await Promise.all(relays.map((relay) => relay.refuse()));
  }
});
