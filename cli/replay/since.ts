import { milliseconds } from '../../agent/values/duration';

const DATE = /^\d{4}-\d{2}-\d{2}([T ].*)?$/;

/**
 * The time that a duration before now, or a date, names; `undefined` for anything else, and for a time to come.
 * @param now milliseconds since 1970
 */
export function timeOf(text: string, now: number): Date | undefined {
  const duration = milliseconds(text);
  const time = duration === undefined ? dateIn(text) : now - duration;
  return time === undefined || !(time <= now) || Number.isNaN(new Date(time).getTime()) ? undefined : new Date(time);
}

function dateIn(text: string): number | undefined {
  return DATE.test(text.trim()) ? Date.parse(text.trim()) : undefined;
}
