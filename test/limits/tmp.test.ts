import { createAgentTestEnvironment } from 'holdfast/testing';
import { longRunner, runTurns } from './long-run';

it('measures', async () => {
  const kit = await createAgentTestEnvironment({ agents: [longRunner], server: 'dev' });
  try {
    console.log(await runTurns(kit, { turns: 400, args: 1024, result: 1024 }), process.memoryUsage());
    kit.model.reset();
    console.log(await runTurns(kit, { turns: 1000, args: 1024, result: 1024 }), process.memoryUsage());
  } finally {
    await kit.close();
  }
}, 200000);
