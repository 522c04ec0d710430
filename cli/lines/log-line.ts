import { isJsonObject, type JsonObject } from '../../agent/values/json';
import { oneLine, PROBLEM_WIDTH } from './facts/fact-line';

/** Fields of Temporal's SDK that say what an entry is about. They come first: a problem may be long. */
const ABOUT = ['workflowId', 'activityType', 'attempt'];
/** Fields of Temporal's SDK that are the same in each entry, or that no command takes. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'namespace',
  'taskQueue',
  'workflowRunId',
  'workflowType',
  'activityId',
]);

/** A short form of a worker's log line: level, text, and as many of the other fields as fit. */
export function logLine(line: string): string {
  const entry = parse(line);
  if (entry === undefined || typeof entry.level !== 'string') return oneLine(line);
  const { level, time: _time, msg = '', stack: _stack, ...fields } = entry;
  const isProblem = level === 'warn' || level === 'error';
  return oneLine([level, msg, ...fieldsOf(fields)].join(' '), isProblem ? PROBLEM_WIDTH : undefined);
}

function fieldsOf(fields: JsonObject): string[] {
  const isOfTemporal = fields.workflowId !== undefined;
  const names = Object.keys(fields).filter((name) => !ABOUT.includes(name) && !(isOfTemporal && LEFT_OUT.has(name)));
  return [...ABOUT.filter((name) => fields[name] !== undefined), ...names].map((name) => {
    const value = fields[name];
    return `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
}

function parse(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
