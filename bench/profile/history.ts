import type { temporal } from '@temporalio/proto';
import { median } from '../pairs';

type Event = temporal.api.history.v1.IHistoryEvent;

/** The event types that occur in a run of the benchmark, by number. */
const TYPES: ReadonlyMap<number, string> = new Map([
  [1, 'WorkflowExecutionStarted'],
  [2, 'WorkflowExecutionCompleted'],
  [5, 'WorkflowTaskScheduled'],
  [6, 'WorkflowTaskStarted'],
  [7, 'WorkflowTaskCompleted'],
  [8, 'WorkflowTaskTimedOut'],
  [9, 'WorkflowTaskFailed'],
  [10, 'ActivityTaskScheduled'],
  [11, 'ActivityTaskStarted'],
  [12, 'ActivityTaskCompleted'],
  [25, 'MarkerRecorded'],
  [40, 'UpsertWorkflowSearchAttributes'],
]);

export interface Kind {
  kind: string;
  count: number;
  /** Bytes of payloads and of whole events, encoded by `size`. */
  payloadBytes: number;
  bytes: number;
}

/** Events and bytes by kind, and for activities by name. */
export function kinds(events: readonly Event[], size: (event: Event) => number): Kind[] {
  const names = activityNames(events);
  const found = new Map<string, Kind>();
  for (const event of events) {
    const type = TYPES.get(Number(event.eventType)) ?? `type ${event.eventType}`;
    const activity = names.get(scheduledId(event));
    const kind = activity === undefined ? type : `${type} ${activity}`;
    const known = found.get(kind) ?? { kind, count: 0, payloadBytes: 0, bytes: 0 };
    found.set(kind, {
      kind,
      count: known.count + 1,
      payloadBytes: known.payloadBytes + payloadBytes(event),
      bytes: known.bytes + size(event),
    });
  }
  return [...found.values()].sort((a, b) => b.bytes - a.bytes);
}

/** Median milliseconds between the events of each workflow task and each activity, by the server's clock. */
export function waits(events: readonly Event[]): [what: string, ms: number][] {
  const names = activityNames(events);
  const at = new Map(events.map((event) => [String(event.eventId), millis(event)]));
  const all = new Map<string, number[]>();
  const add = (what: string, ms: number) => all.set(what, [...(all.get(what) ?? []), ms]);
  for (const event of events) {
    const { activityTaskStartedEventAttributes: started, activityTaskCompletedEventAttributes: done } = event;
    const { workflowTaskStartedEventAttributes: begun, workflowTaskCompletedEventAttributes: decided } = event;
    const since = (id: unknown) => millis(event) - (at.get(String(id)) ?? Number.NaN);
    const name = names.get(scheduledId(event)) ?? '';
    if (started) add(`${name}: scheduled to started`, since(started.scheduledEventId));
    if (done) add(`${name}: started to completed`, since(done.startedEventId));
    if (begun) add('workflow task: scheduled to started', since(begun.scheduledEventId));
    if (decided) add('workflow task: started to completed', since(decided.startedEventId));
  }
  return [...all].map(([what, ms]) => [what, median(ms)]);
}

function activityNames(events: readonly Event[]): Map<string, string> {
  return new Map(
    events.flatMap(({ eventId, activityTaskScheduledEventAttributes: it }) =>
      it ? [[String(eventId), it.activityType?.name ?? '']] : [],
    ),
  );
}

function scheduledId(event: Event): string {
  const { activityTaskStartedEventAttributes: started, activityTaskCompletedEventAttributes: done } = event;
  return String(started?.scheduledEventId ?? done?.scheduledEventId ?? event.eventId);
}

function millis({ eventTime }: Event): number {
  return Number(eventTime?.seconds ?? 0) * 1000 + (eventTime?.nanos ?? 0) / 1e6;
}

function payloadBytes(value: unknown): number {
  if (value instanceof Uint8Array) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, inner) => sum + payloadBytes(inner), 0);
  if (typeof value !== 'object' || value === null) return 0;
  const { data } = value as { data?: unknown };
  const own = data instanceof Uint8Array ? data.length : 0;
  return own + Object.values(value).reduce((sum: number, inner) => sum + payloadBytes(inner), 0);
}
