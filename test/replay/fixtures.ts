import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { temporal } from '@temporalio/proto';
import { isJsonObject, type Json, type JsonObject } from '../../agent/values/json';

const FIXTURES = join(__dirname, 'fixtures');
/**
 * The folder of the version that is not released yet. A release copies it to a folder with its own name. A folder named by a
 * day has histories that a build of that day has made: they are never recorded again.
 */
export const NEXT = 'next';
/** Values that one Temporal run has passed to the next: the folder of a version has them here. */
const CARRIED = 'carried';
const MAX_PLAIN = 150 * 1024;

const ENDING = /\.json(\.gz)?$/;

/** The versions of which histories are kept. */
export function versions(): string[] {
  return readdirSync(FIXTURES);
}

/** Names of a version's histories, such as `calls/inline-tools`: what they are about, and their file without its ending. */
export function fixtureNames(version: string): string[] {
  return namesIn(version).filter((name) => !name.startsWith(`${CARRIED}/`));
}

/** Names of the values that runs of a version have passed on. */
export function carriedNames(version: string): string[] {
  return namesIn(version).filter((name) => name.startsWith(`${CARRIED}/`));
}

function namesIn(version: string): string[] {
  return files(version).map((file) => file.replace(ENDING, ''));
}

function files(version: string): string[] {
  const all = readdirSync(join(FIXTURES, version), { recursive: true, encoding: 'utf8' });
  return all.filter((file) => ENDING.test(file));
}

export function readFixture(name: string, version: string = NEXT): { events: JsonObject[] } {
  return read(name, version) as unknown as { events: JsonObject[] };
}

export function readCarriedFixture(name: string, version: string): JsonObject {
  return read(name, version);
}

function read(name: string, version: string): JsonObject {
  const file = files(version).find((entry) => entry.replace(ENDING, '') === name);
  if (file === undefined)
    throw new Error(`There is no fixture ${name} of ${version}; record it with test/replay/record.ts`);
  const bytes = readFileSync(join(FIXTURES, version, file));
  return JSON.parse(String(file.endsWith('.gz') ? gunzipSync(bytes) : bytes)) as JsonObject;
}

/** Writes a history, and what it began with if the run before it passed that on. */
export function writeFixture(name: string, history: JsonObject): void {
  write(name, history);
  const carried = carriedIn(history);
  if (carried !== undefined) write(`${CARRIED}/${name.slice(name.lastIndexOf('/') + 1)}`, carried);
}

function write(name: string, value: JsonObject): void {
  const path = join(FIXTURES, NEXT, name);
  for (const ending of ['.json', '.json.gz']) rmSync(path + ending, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  const json = JSON.stringify(value, null, 1);
  if (json.length <= MAX_PLAIN) writeFileSync(`${path}.json`, `${json}\n`);
  else writeFileSync(`${path}.json.gz`, gzipSync(JSON.stringify(value), { level: 9 }));
}

/** The value with which the run before has started this one. */
function carriedIn({ events }: JsonObject): JsonObject | undefined {
  const [first] = events as JsonObject[];
  const started = first?.workflowExecutionStartedEventAttributes as JsonObject | undefined;
  if (!started?.continuedExecutionRunId) return undefined;
  const [text = '{}'] = payloadTexts(started.input ?? null).slice(0, 1);
  return JSON.parse(text) as JsonObject;
}

const { History } = temporal.api.history.v1;

/**
 * A history as JSON, and back. Not with `historyToJSON` of @temporalio/common: with two copies of protobufjs, as in a
 * plain install of 1.24.0, it throws `type must be a Type`, and so does a replay of JSON.
 */
export function historyToJson(history: temporal.api.history.v1.IHistory): { events: JsonObject[] } {
  return History.toObject(History.fromObject(history), { longs: String, enums: String, bytes: String }) as {
    events: JsonObject[];
  };
}

export function historyFromJson(json: { events: JsonObject[] }): temporal.api.history.v1.IHistory {
  return History.fromObject(json);
}

/** A history without traces of the machine that recorded it: identities hold its name, stack traces its paths. */
export function scrubbed(value: Json, key = ''): Json {
  if (key === 'identity') return 'recorder';
  if (key === 'stackTrace') return '';
  if (Array.isArray(value)) return value.map((entry) => scrubbed(entry));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, scrubbed(inner, name)] as const);
  const sticky = value.kind === 'TASK_QUEUE_KIND_STICKY' ? { name: 'sticky' } : {};
  return { ...Object.fromEntries(entries), ...sticky };
}

/** The text of every payload of a history, decoded. */
export function payloadTexts(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(payloadTexts);
  if (!isJsonObject(value)) return [];
  const own = typeof value.data === 'string' ? [Buffer.from(value.data, 'base64').toString('utf8')] : [];
  return [...own, ...Object.values(value).flatMap(payloadTexts)];
}
