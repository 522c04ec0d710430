import type { Client } from '@temporalio/client';
import { readPinned } from '../../../activities/run/read-again';
import { isAgentName } from '../../../agent/define/agent-name';
import { messageOf } from '../../../agent/errors/error';
import type { Manifest } from '../../../agent/protocol/manifest';
import { visible } from '../../../agent/values/visible';
import { listWorkflows } from '../../../client/requests/visibility';
import { oneLine } from '../../lines/facts/fact-line';
import type { Tell } from '../finding';
import { type Code, type Misfit, misfits } from './misfits';

/** How many open runs are looked at, the newest first: each takes a request or two. */
const MAX_RUNS = 200;
/** Pages of a history in which the manifest has to be. */
const MAX_PAGES = 5;
/** How many ids one line names. */
const NAMED = 3;

interface Found {
  misfit: Misfit;
  agent: string;
  ids: string[];
}

/** Compares what open runs of the task queue have pinned with this version of the code. */
export async function checkOpenRuns(
  tell: Tell,
  client: Client,
  { taskQueue, code, max = MAX_RUNS }: { taskQueue: string; code: Code; max?: number },
): Promise<void> {
  const what = 'open runs';
  const found = new Map<string, Found>();
  let looked = 0;
  let unread = 0;
  let more = false;
  try {
    for await (const { workflowId: id, runId, type, taskQueue: queue } of openRuns(client)) {
      if (!isAgentName(type) || queue !== taskQueue) continue;
      if (looked === max) {
        more = true;
        break;
      }
      looked++;
      const manifest = await manifestOf(client, id, runId);
      if (manifest === undefined) unread++;
      else for (const misfit of misfits(manifest, code)) collect(found, misfit, { agent: type, id });
    }
  } catch (error) {
    tell({ state: 'note', what, found: `cannot be compared with this version (${messageOf(error)})` });
    return;
  }
  const of = `${more ? `the newest ${looked}` : looked} looked at`;
  const without = unread === 0 ? '' : `; ${unread} have pinned nothing yet, or cannot be read`;
  const result = found.size === 0 ? 'this version fits what they have pinned' : 'this version does not fit all of them';
  tell({ state: found.size === 0 ? 'ok' : 'note', what, found: `${of}${without}: ${result}` });
  for (const { misfit, agent, ids } of found.values()) {
    const named = ids.slice(0, NAMED).map((id) => oneLine(visible(id)));
    const rest = ids.length > NAMED ? ', …' : '';
    const runs = `${ids.length === 1 ? '1 run' : `${ids.length} runs`} (${named.join(', ')}${rest})`;
    const state = misfit.ends ? 'missing' : 'note';
    tell({ state, what: agent, found: `${runs}: ${misfit.what}`, todo: misfit.todo });
  }
}

function openRuns(client: Client) {
  return listWorkflows(client, "ExecutionStatus = 'Running'");
}

function collect(found: Map<string, Found>, misfit: Misfit, { agent, id }: { agent: string; id: string }): void {
  const key = `${agent} ${misfit.what}`;
  const known = found.get(key) ?? { misfit, agent, ids: [] };
  known.ids.push(id);
  found.set(key, known);
}

/** The manifest, read from the history: no worker of the old version may be left. */
async function manifestOf(client: Client, id: string, runId: string): Promise<Manifest | undefined> {
  let pages = 0;
  try {
    const pinned = await readPinned(client, id, { runId, want: ['manifest'] }, () => ++pages < MAX_PAGES);
    return pinned.manifest;
  } catch {
    // Deleted meanwhile, or encoded by a codec, which the command line does not have.
    return undefined;
  }
}
