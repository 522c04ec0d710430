import type { Difference } from './difference';
import type { FoundHistory } from './histories';

type Events = NonNullable<FoundHistory['history']['events']>;

/**
 * The event at which a history differs, where Temporal does not name it: the shortest part of the history that does not
 * replay ends with the commands of the workflow task that differs.
 */
export async function findEvent(
  { history, id }: Pick<FoundHistory, 'history' | 'id'>,
  scheduled: Difference['scheduled'],
  replays: (recorded: { workflowId: string; history: FoundHistory['history'] }) => Promise<boolean>,
): Promise<number | undefined> {
  const events = history.events ?? [];
  const ends = endsOfTasks(events);
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const part = { ...history, events: events.slice(0, ends[middle]) };
    if (await replays({ workflowId: id, history: part })) low = middle + 1;
    else high = middle;
  }
  const task = events.slice(ends[low - 1] ?? 0, ends[low]);
  const found = task.find((event) => isScheduled(event, scheduled)) ?? task[0];
  return found?.eventId == null ? undefined : Number(found.eventId);
}

/** For each completed workflow task, the number of events up to its last command. */
function endsOfTasks(events: Events): number[] {
  const ends = events.flatMap(({ workflowTaskScheduledEventAttributes: task }, i) => (task && i > 1 ? [i] : []));
  return [...ends, events.length];
}

function isScheduled(event: Events[number], scheduled: Difference['scheduled']): boolean {
  const attributes = event.activityTaskScheduledEventAttributes;
  if (scheduled === undefined || !attributes) return false;
  return scheduled.value === (scheduled.field === 'type' ? attributes.activityType?.name : attributes.activityId);
}
