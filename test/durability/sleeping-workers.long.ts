import { AgentClient } from '../../client/agent-client';
import { type Disturbed, disturb, RUNS, SEED } from './stage/disturb';
import { followSixTurns } from './stage/six-turns';
import { Stage } from './stage/stage';
import type { WorkerChild } from './stage/worker-child';

/** As a virtual machine that is moved, or a notebook whose lid is closed. */
const asleep = ({ pid }: WorkerChild): Disturbed => ({
  faults: { sleep: () => void process.kill(pid, 'SIGSTOP') },
  heal: () => void process.kill(pid, 'SIGCONT'),
});

it(`loses nothing of ${RUNS} runs while their workers fall asleep and wake up with work that was given to others`, async () => {
  const stage = await Stage.open();
  const workers = await Promise.all([stage.worker(), stage.worker()]);
  const faults = disturb(workers.map(asleep), SEED);
  try {
    // A query that goes to a worker that sleeps is lost, and the next one may go there as well.
    const client = new AgentClient(stage.client.temporal, { workerTimeout: 300_000 });
    const found = await followSixTurns(stage, client, RUNS);
    console.info({ seed: SEED, faults: await faults.end(), ...found });
  } finally {
    await faults.end();
    await stage.close();
  }
});
