import { messageOf } from '../../agent/errors/error';

/** What Temporal says about a history that does not replay. */
export interface Difference {
  /** Id of the first event of the history that the code would not make. Missing: Temporal does not name it. */
  event?: number;
  /** What the history has, and what the code does now. */
  reason: string;
  /** The activity type, or the id, that the history has there. */
  scheduled?: { field: 'type' | 'id'; value: string };
}

/** Temporal writes the message of core as Rust prints it: `message: "…"`. */
const MESSAGE = /message: "((?:[^"\\]|\\.)*)"/;
const PREFIX = /^(\[\w+\] )?(Nondeterminism error: )?/;

/** Names of core's state machines, by what the code does. */
const DOES: readonly (readonly [machine: RegExp, does: string])[] = [
  [/^Activity/, 'schedules an activity'],
  [/^Timer/, 'starts a timer'],
  [/^(Modify|Upsert)/, 'writes its memo or search attributes'],
  [/^Child/, 'starts a child workflow'],
  [/^Update/, 'answers an update'],
  [/^Fail workflow/, 'fails the run'],
  [/^Complete workflow/, 'completes the run'],
  [/^Continue as new/, 'goes on in a new history'],
  [/^Cancel workflow/, 'ends the run as cancelled'],
  [/^(Cancel|Request cancel) external/, 'cancels another workflow'],
  [/^Signal external/, 'signals another workflow'],
  [/^(Patch|Version|Local)/, 'records a marker'],
];

/** Reads the error of a replay. Pure. */
export function differenceOf(error: unknown): Difference {
  const text = error instanceof Error ? error.message : messageOf(error);
  const quoted = MESSAGE.exec(text)?.[1];
  const told = (quoted === undefined ? text : unescaped(quoted)).replace(PREFIX, '').split('\n', 1)[0] ?? '';
  const [, id, type] = /HistoryEvent\(id: (\d+), (\w+)\)/.exec(told) ?? [];
  const event = id === undefined ? {} : { event: Number(id) };
  const [, machine] = /^(.*) machine does not handle this event/.exec(told) ?? [];
  if (machine !== undefined && type !== undefined) {
    return { ...event, reason: `the history has ${type} there, and the code ${doing(machine)}` };
  }
  if (type !== undefined && /^No command scheduled for event/.test(told)) {
    return { ...event, reason: `the history has ${type} there, and the code does nothing` };
  }
  const [, field, was, now] =
    /^Activity (type|id) of scheduled event '(.*)' does not match .* of activity command '(.*)'$/.exec(told) ?? [];
  if (field !== undefined && was !== undefined) {
    const what = field === 'type' ? 'the activity' : 'an activity with the id';
    const reason = `the history schedules ${what} \`${was}\` there, and the code schedules \`${now}\``;
    return { ...event, reason, scheduled: { field: field === 'type' ? 'type' : 'id', value: was } };
  }
  return { ...event, reason: told === '' ? 'the workflow failed' : `Temporal says: ${told}` };
}

function doing(machine: string): string {
  const [, does] = DOES.find(([name]) => name.test(machine)) ?? [];
  return does ?? `does something else (${machine})`;
}

function unescaped(text: string): string {
  return text.replace(/\\(["\\'])/g, '$1').replace(/\\n/g, '\n');
}

/** What to do about a run that does not replay. */
export function adviceFor({ isOpen }: { isOpen: boolean }): string {
  return isOpen
    ? 'the run is open: this code would leave it stuck. Keep workers of the old version for it, or deploy this one once it has ended'
    : 'the run has ended: this code can no longer show it. Export it first with the old version if you need it';
}
