import type { Manifest } from '../../../agent/protocol/manifest';
import { QUERY } from '../../../agent/protocol/queries';
import { patientQuery } from '../../requests/patient-query';
import type { RunHandle } from '../../runs/run-handle';
import type { AboutAgent } from './below/agent-below';
import { toolNames } from './calls/tool-names';

/** What a translation has to know about a run. It never changes. */
export async function aboutRun(run: RunHandle<unknown>): Promise<AboutAgent> {
  const asked = patientQuery<Manifest | null>(run.client, run.id, QUERY.pinned, { argument: 'manifest' });
  const [{ agent }, manifest] = await Promise.all([run.state(), asked]);
  return { runId: run.id, agent, names: toolNames(manifest) };
}
