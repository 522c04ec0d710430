import { HoldfastError } from '../errors/error';
import { BYTES } from '../limits';
import { isJsonObject, type JsonObject } from '../values/json';
import { shorten } from '../values/shorten';
import type { Grant, GrantsToRevoke } from './approval';

/** Characters of a name or a key. Longer keys are hashed before. An owner may be as long as the owner of a run. */
const MAX_TEXT = 1000;
/** Characters of a comment that are kept. */
const MAX_COMMENT = 2000;

/** What `setBatched` takes: decisions on the calls of one owner's runs. */
export interface GivenGrants {
  owner?: string;
  grants: Grant[];
}

/** What `getBatched` takes. */
export interface WantedGrants {
  owner?: string;
  wanted: { tool: string; key: string }[];
}

/**
 * Checks decisions that a client sent. Unknown fields are dropped.
 * @param now milliseconds since 1970: the latest time that a decision may have
 * @throws HoldfastError `InvalidDecision`
 */
export function checkGrants(given: unknown, now: number): GivenGrants {
  const payload = objectOf(given, 'the payload', '{"owner"?: …, "grants": […]}');
  const grants = listOf(payload, 'grants').map((one, i) => grantOf(one, `\`grants[${i}]\``, now));
  return { ...ownerOf(payload), grants };
}

/** @throws HoldfastError `InvalidDecision` */
export function checkRevoke(given: unknown): GrantsToRevoke {
  const payload = objectOf(given, 'the payload', '{"owner"?: …, "tool": …, "key"?: …}');
  const tool = textOf(payload, 'tool');
  return {
    ...ownerOf(payload),
    tool,
    ...(payload.key === undefined ? {} : { key: textOf(payload, 'key', { empty: 'allowed' }) }),
  };
}

/** @throws HoldfastError `InvalidDecision` */
export function checkWanted(given: unknown): WantedGrants {
  const payload = objectOf(given, 'the payload', '{"owner"?: …, "wanted": [{"tool": …, "key": …}]}');
  const wanted = listOf(payload, 'wanted').map((one, i) => {
    const place = `\`wanted[${i}]\``;
    const row = objectOf(one, place, '{"tool": …, "key": …}');
    // Longer ones are never kept, but asking about them is not an error.
    const form = { place, empty: 'allowed', max: Infinity } as const;
    return { tool: textOf(row, 'tool', form), key: textOf(row, 'key', form) };
  });
  return { ...ownerOf(payload), wanted };
}

function grantOf(given: unknown, place: string, now: number): Grant {
  const row = objectOf(given, place, '{"tool": …, "key": …, "allowed": …, "by": …, "at": …}');
  const { allowed, at, comment } = row;
  if (typeof allowed !== 'boolean') return fail(`\`allowed\` of ${place} must be true or false`);
  if (typeof at !== 'number' || !Number.isFinite(at)) return fail(`\`at\` of ${place} must be milliseconds since 1970`);
  if (comment !== undefined && typeof comment !== 'string') return fail(`\`comment\` of ${place} must be a string`);
  return {
    tool: textOf(row, 'tool', { place }),
    key: textOf(row, 'key', { place, empty: 'allowed' }),
    allowed,
    by: textOf(row, 'by', { place }),
    // A wrong clock must not produce a decision that no later decision can replace.
    at: Math.min(at, now),
    ...(comment === undefined ? {} : { comment: shorten(comment, MAX_COMMENT) }),
  };
}

function ownerOf(payload: JsonObject): { owner?: string } {
  return payload.owner === undefined
    ? {}
    : { owner: textOf(payload, 'owner', { empty: 'allowed', max: BYTES.metadata }) };
}

function objectOf(given: unknown, place: string, form: string): JsonObject {
  return isJsonObject(given) ? given : fail(`${place} must be \`${form}\``);
}

function listOf(payload: JsonObject, field: string): unknown[] {
  const list = payload[field];
  return Array.isArray(list) ? list : fail(`\`${field}\` must be a list`);
}

interface TextForm {
  /** Where the field is. */
  place?: string;
  empty?: 'allowed';
  max?: number;
}

function textOf(row: JsonObject, field: string, { place, empty, max = MAX_TEXT }: TextForm = {}): string {
  const text = row[field];
  if (typeof text === 'string' && text.length <= max && (empty === 'allowed' || text !== '')) return text;
  const what = empty === 'allowed' ? 'a string' : 'a non-empty string';
  const most = max === Infinity ? '' : `, of at most ${max} characters`;
  return fail(`\`${field}\`${place === undefined ? '' : ` of ${place}`} must be ${what}${most}`);
}

function fail(problem: string): never {
  throw new HoldfastError('InvalidDecision', { problem });
}
