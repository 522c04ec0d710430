import type { Client } from '@temporalio/client';
import type { Manifest } from '../../../agent/protocol/manifest';
import { QUERY } from '../../../agent/protocol/queries';
import { patientQuery } from '../../requests/patient-query';
import { readingOf } from '../../runs/command-handle';
import type { RunHandle } from '../../runs/run-handle';
import type { AboutAgent } from './below/agent-below';
import { toolNames } from './calls/tool-names';

/** Being read, by run: many readers of one run come at the same time. */
const COMING = new WeakMap<Client, Map<string, Promise<AboutAgent>>>();

/** What a translation has to know about a run. It never changes. */
export function aboutRun(run: RunHandle<unknown>): Promise<AboutAgent> {
  const coming = COMING.get(run.client) ?? new Map<string, Promise<AboutAgent>>();
  COMING.set(run.client, coming);
  const key = `${run.id} ${readingOf(run).workerTimeout}`;
  const known = coming.get(key);
  if (known !== undefined) return known;
  const about = read(run);
  coming.set(key, about);
  const end = () => coming.delete(key);
  about.then(end, end);
  return about;
}

async function read(run: RunHandle<unknown>): Promise<AboutAgent> {
  const { workerTimeout } = readingOf(run);
  const how = { argument: 'manifest', workerTimeout };
  const manifest = await patientQuery<Manifest | null>(run.client, run.id, QUERY.pinned, how);
  // A run that has just begun has none yet.
  const { agent } = manifest ?? (await run.state());
  return { runId: run.id, agent, names: toolNames(manifest) };
}
