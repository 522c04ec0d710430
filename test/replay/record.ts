import type { JsonObject } from '../../agent/values/json';
import { createAgentTestEnvironment } from '../kit';
import { asker, chained, planner, speaker, talker, triage, writer } from './agents';
import { historyToJson, scrubbed, writeFixture } from './fixtures';
import { RUNS } from './runs';

/**
 * Records the fixtures that replay.test.ts replays: `npx jiti test/replay/record.ts [name…]`. Before 1.0 they may be
 * recorded again when a run has to decide differently, with the reason in the commit.
 */
async function record(names: readonly string[]): Promise<void> {
  const kit = await createAgentTestEnvironment({
    agents: [asker, chained, planner, speaker, talker, triage, writer],
    outlets: { post: () => undefined },
    server: 'dev',
  });
  try {
    for (const name of names) {
      const kind = RUNS[name];
      if (kind === undefined) throw new Error(`There is no run ${name}; there are ${Object.keys(RUNS).join(', ')}`);
      kit.model.reset();
      const { run, end, runId } = await kind.make(kit);
      if (end !== kind.end) throw new Error(`${name} ended as ${end} instead of ${kind.end}`);
      kit.model.assertDone();
      const history = await kit.client.temporal.workflow.getHandle(run.id, runId).fetchHistory();
      writeFixture(name, scrubbed(historyToJson(history) as unknown as JsonObject) as JsonObject);
      process.stdout.write(`${name}\n`);
    }
  } finally {
    await kit.close();
  }
}

const asked = process.argv.slice(2);
void record(asked.length > 0 ? asked : Object.keys(RUNS)).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    process.exit(1);
  },
);
