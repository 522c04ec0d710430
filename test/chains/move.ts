import type { RunHandle } from 'holdfast/client';
import type { AgentTestEnvironment } from 'holdfast/testing';
import { until } from '../until';

/** Temporal's id of the newest history of a run. */
export async function newest(run: Pick<RunHandle<unknown>, 'workflow'>): Promise<string> {
  return (await run.workflow.describe()).runId;
}

/** Has a run that waits go on in a new history, and waits until it has. */
export async function move(kit: AgentTestEnvironment, run: RunHandle<unknown>, skips = true): Promise<void> {
  const before = await newest(run);
  await run.continueAsNew();
  // It looks at its history one second later.
  if (skips) await kit.skip('2s');
  await until(async () => (await newest(run)) !== before, 'the new history');
}
