import type { RunHandle } from 'holdfast/client';
import type { AgentTestEnvironment } from 'holdfast/testing';
import { patientUpdate } from '../../client/requests/patient-update';
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

/**
 * Sends a run an update, as clients do: while the run moves, the server has none that takes it, and it is sent again.
 * @param updateId repeats an earlier update
 */
export function tell(
  kit: AgentTestEnvironment,
  run: Pick<RunHandle<unknown>, 'id'>,
  name: string,
  payload: object = {},
  updateId?: string,
): Promise<unknown> {
  return patientUpdate(kit.client.temporal, run.id, name, { payload, updateId });
}
