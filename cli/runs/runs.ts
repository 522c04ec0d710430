import { defined } from '../../agent/values/defined';
import { visible } from '../../agent/values/visible';
import type { Session, SessionFilter } from '../../client/runs/sessions';
import { give, say } from '../../runtime/print';
import { oneLine } from '../lines/facts/fact-line';
import { statusText } from '../lines/waits/status-text';
import type { Place } from '../remote/place';
import { withRunClient } from '../remote/run-client';
import { spoken, table } from '../show/table';

export interface RunsOptions extends SessionFilter, Place {
  json?: boolean;
}

/** `holdfast runs`: lists runs as a table or as lines of JSON. */
export function runs({ config, url, json = false, ...filter }: RunsOptions): Promise<number> {
  return withRunClient(defined({ config, url }), async (client) => {
    const found = await client.sessions(filter);
    if (json) for (const session of found) give(`${JSON.stringify(session)}\n`, 'json');
    else say(...sessionLines(found, Date.now()));
    return 0;
  });
}

const HEADER = ['run', 'agent', 'status', 'owner', 'age', 'title'];

/** Maximum characters of one column. Ids are shown in full so that they can be copied. */
const CELL = 40;

/** Runs as a table for people. */
export function sessionLines(found: readonly Session[], now: number): string[] {
  if (found.length === 0) return ['No run fits.'];
  const rows = found.map(({ id, agent, owner = '', title = '', startedAt, ...progress }) => [
    id,
    ...[agent, statusText(progress), owner, ageOf(startedAt, now), title].map((cell) => oneLine(visible(cell), CELL)),
  ]);
  return table(HEADER, rows);
}

function ageOf(then: number, now: number): string {
  return spoken(Math.max(1000, Math.round((now - then) / 1000) * 1000));
}
