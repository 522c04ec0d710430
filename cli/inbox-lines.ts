import type { PendingApproval } from '../agent/approval';
import { oneLine } from './fact-line';
import { columns, printable, spoken } from './show-table';
import { whoMay } from './wait-commands';

/** Characters that a terminal does not show as they are, or that turn the text around them: bidi marks among them. */
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A value as JSON that hides nothing from whoever decides on them, and that reads back as the same. */
export function shownJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    UNSEEN,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** One line a call, of at most `width` characters: since when, whose, which and with what. */
export function callLabels(calls: readonly PendingApproval[], now: number, width: number): string[] {
  const rows = calls.map(({ requestedAt, agent, owner = '', id, toolUseId, tool, input }) =>
    [agoOf(requestedAt, now), agent, owner, `${id} ${toolUseId}`, `${tool} ${shownJson(input)}`].map((cell) =>
      oneLine(printable(cell), CELL),
    ),
  );
  return columns(rows).map((line) => oneLineOf(line, width));
}

/** Characters of one column. */
const CELL = 60;

function oneLineOf(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}

/** Who may decide on a call, and for how long. */
export function callHint({ deciders, expiresAt, escalated, repeats }: PendingApproval, now: number): string {
  return [
    `for ${whoMay(deciders)}`,
    ...(expiresAt === undefined ? [] : [`expires in ${inOf(expiresAt, now)}`]),
    ...(escalated ? ['escalated'] : []),
    ...(repeats === undefined ? [] : [`repeats ${repeats}`]),
  ].join(', ');
}

/** All of a call, arguments whole. */
export function callDetails(call: PendingApproval, now: number): string {
  const { agent, owner, id, toolUseId, tool, input, requestedAt, expiresAt, deciders, escalated, repeats } = call;
  const rows: string[][] = [
    ['call', `${toolUseId} ${tool}`],
    ['run', id],
    ['agent', agent],
    ...(owner === undefined ? [] : [['owner', owner]]),
    ['asked', `${new Date(requestedAt).toISOString()}, ${agoOf(requestedAt, now)} ago`],
    ...(expiresAt === undefined
      ? []
      : [['expires', `${new Date(expiresAt).toISOString()}, in ${inOf(expiresAt, now)}`]]),
    ['for', `${whoMay(deciders)}${escalated ? ', since the first let it expire' : ''}`],
    ...(repeats === undefined
      ? []
      : [['again', `it repeats ${repeats}, and nobody knows whether that took effect: look before you approve`]]),
  ];
  return printable([...columns(rows), '', shownJson(input, 2)].join('\n'));
}

function agoOf(then: number, now: number): string {
  return whole(now - then);
}

function inOf(then: number, now: number): string {
  return then <= now ? 'no time' : whole(then - now);
}

/** Nobody wants to read milliseconds of an age. */
function whole(ms: number): string {
  return spoken(Math.max(1000, ms < 120_000 ? Math.round(ms / 1000) * 1000 : ms));
}
