import { HoldfastError } from '../../errors/error';
import { nearNames } from '../../model/names/name-table';
import { milliseconds } from '../../values/duration';

/** @throws HoldfastError `InvalidDefinition` */
export function fail(place: string, problem: string): never {
  throw new HoldfastError('InvalidDefinition', { place, problem });
}

/** Checks that a value is an object of names, such as the tools of an agent, or missing. */
export function checkRecord(given: unknown, place: string): void {
  if (given !== undefined && !isRecord(given)) fail(place, `Expected an object, got \`${JSON.stringify(given)}\``);
}

/** Checks that an object has no unknown field: a misspelt setting would look as if it were in effect. */
export function checkFields(given: object, known: readonly string[], place: string): void {
  for (const field of Object.keys(given)) {
    if (known.includes(field)) continue;
    const near = nearNames(field, known);
    const hint = near.length > 0 ? `did you mean ${coded(near).join(' or ')}?` : `known are ${coded(known).join(', ')}`;
    fail(`${place}.${field}`, `Unknown field; ${hint}`);
  }
}

function coded(names: readonly string[]): string[] {
  return names.map((name) => `\`${name}\``);
}

/** Checks a duration that may be missing. */
export function checkDuration(given: unknown, place: string, example = '30s'): void {
  if (given === undefined || milliseconds(given) !== undefined) return;
  fail(place, `Expected milliseconds or a duration such as '${example}', got \`${String(given)}\``);
}

export function isRecord(given: unknown): given is object {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

export function isText(given: unknown): given is string {
  return typeof given === 'string' && given.trim() !== '';
}
