import { findEvent } from '../../../cli/replay/find-event';
import type { FoundHistory } from '../../../cli/replay/histories';

type Events = NonNullable<FoundHistory['history']['events']>;

/** Tasks of one activity each, after the start. */
function historyOf(activities: readonly string[]): FoundHistory['history'] {
  const events: Events = [{}];
  for (const name of activities) {
    events.push({ workflowTaskScheduledEventAttributes: {} }, {}, {});
    events.push({ activityTaskScheduledEventAttributes: { activityType: { name } } }, {}, {});
  }
  events.push({ workflowTaskScheduledEventAttributes: {} }, {});
  return { events: events.map((event, i) => ({ ...event, eventId: (i + 1) as never })) };
}

it.each([0, 1, 2, 6])('finds the event in task %d', async (bad) => {
  const names = Array.from({ length: 7 }, (_, i) => `a${i}`);
  const history = historyOf(names);
  const at = 5 + 6 * bad;
  expect(history.events?.[at - 1]?.activityTaskScheduledEventAttributes?.activityType?.name).toBe(`a${bad}`);
  const replays = async (part: { history: FoundHistory['history'] }) => (part.history.events ?? []).length < at;
  expect(await findEvent({ id: 'x', history }, { field: 'type', value: `a${bad}` }, replays)).toBe(at);
});
