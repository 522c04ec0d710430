import { isJsonObject, type JsonObject } from '../../agent/values/json';
import { oneLine } from './facts/fact-line';

/** A short form of a worker's log line: level, text, and as many of the other fields as fit. */
export function logLine(line: string): string {
  const entry = parse(line);
  if (entry === undefined || typeof entry.level !== 'string') return oneLine(line);
  const { level, time: _time, msg = '', stack: _stack, ...fields } = entry;
  const rest = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return oneLine([level, msg, ...rest].join(' '));
}

function parse(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
