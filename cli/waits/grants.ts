import type { OwnedGrant } from '../../agent/approvals/approval';
import { defined } from '../../agent/values/defined';
import { visible } from '../../agent/values/visible';
import { give, say } from '../../runtime/print';
import { oneLine } from '../lines/facts/fact-line';
import { table } from '../show/table';
import { withClient } from '../with-client';

export interface GrantsOptions {
  config?: string;
  json?: boolean;
}

export interface RevokeOptions {
  config?: string;
  owner?: string;
  key?: string;
}

/** `holdfast grants`: the remembered decisions that hold for all runs of an agent. */
export function grants(agent: string, { config, json = false }: GrantsOptions): Promise<number> {
  return withClient(config, async (client) => {
    const found = await client.approvals(agent).list();
    if (json) give(`${JSON.stringify(found, null, 2)}\n`, 'json');
    else say(...grantLines(agent, found));
    return 0;
  });
}

/** `holdfast revoke`: forgets remembered decisions, so that a person is asked again. */
export function revoke(agent: string, tool: string, { config, owner, key }: RevokeOptions): Promise<number> {
  return withClient(config, async (client) => {
    const which = { tool, ...defined({ owner, key }) };
    const count = await client.approvals(agent).revoke(which);
    say(revokedLine(agent, which, count));
    return 0;
  });
}

const HEADER = ['tool', 'calls', 'of', 'decision', 'by', 'since', 'comment'];

/** Remembered decisions as a table for people. */
export function grantLines(agent: string, found: readonly OwnedGrant[]): string[] {
  if (found.length === 0) return [`No decision is remembered for all runs of ${agent}.`];
  const rows = found.map(({ tool, key, owner, allowed, by, at, comment = '' }) => [
    tool,
    key === '' ? 'all' : key,
    owner ?? 'no owner',
    allowed ? 'approved' : 'denied',
    by,
    new Date(at).toISOString(),
    comment,
  ]);
  return table(
    HEADER,
    rows.map((row) => row.map((cell) => oneLine(visible(cell), 60))),
  );
}

/** One line about the decisions that were forgotten. */
export function revokedLine(
  agent: string,
  { tool, owner, key }: { tool: string; owner?: string; key?: string },
  count: number,
): string {
  const whose = owner === undefined ? 'runs without an owner' : `runs of ${owner}`;
  const what = `${tool}${key ? ` (${key})` : ''} of ${agent}, for ${whose}`;
  if (count === 0) return `nothing to forget: no decision on ${what} is remembered`;
  return `forgot ${count === 1 ? 'the decision' : `${count} decisions`} on ${what}: a person is asked again`;
}
