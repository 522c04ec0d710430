import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { temporal } from '@temporalio/proto';
import { isJsonObject, type Json, type JsonObject } from '../../agent/values/json';

export const FIXTURES = join(__dirname, 'fixtures');
const MAX_PLAIN = 150 * 1024;

const ENDING = /\.json(\.gz)?$/;

/** Names of the fixtures, such as `calls/inline-tools`: what they are about, and their file without its ending. */
export function fixtureNames(): string[] {
  return files().map((file) => file.replace(ENDING, ''));
}

function files(): string[] {
  return readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter((file) => ENDING.test(file));
}

export function readFixture(name: string): { events: JsonObject[] } {
  const file = files().find((entry) => entry.replace(ENDING, '') === name);
  if (file === undefined) throw new Error(`There is no fixture ${name}; record it with test/replay/record.ts`);
  const bytes = readFileSync(join(FIXTURES, file));
  return JSON.parse(String(file.endsWith('.gz') ? gunzipSync(bytes) : bytes)) as { events: JsonObject[] };
}

export function writeFixture(name: string, history: Json): void {
  for (const ending of ['.json', '.json.gz']) rmSync(join(FIXTURES, name + ending), { force: true });
  const json = JSON.stringify(history, null, 1);
  if (json.length <= MAX_PLAIN) writeFileSync(join(FIXTURES, `${name}.json`), `${json}\n`);
  else writeFileSync(join(FIXTURES, `${name}.json.gz`), gzipSync(JSON.stringify(history), { level: 9 }));
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
