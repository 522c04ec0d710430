/** The version of the contract of an agent without `versions`. */
export const ONLY_VERSION = '1.0.0';

const VERSION = /^\d+\.\d+\.\d+$/;

/** Whether a value is three numbers joined by dots. */
export function isVersion(given: unknown): given is string {
  return typeof given === 'string' && VERSION.test(given);
}

/** The version that a `dataschema`, such as `#/contracts/support.triage/2.0.0`, ends with. */
export function versionOfSchema(dataschema: string | undefined): string | undefined {
  const last = dataschema?.split('/').at(-1);
  return isVersion(last) ? last : undefined;
}

/** Versions in the order of their numbers. */
export function newestLast(versions: readonly string[]): string[] {
  return [...versions].sort((a, b) => {
    const [left, right] = [numbers(a), numbers(b)];
    const place = left.findIndex((part, i) => part !== right[i]);
    return (left[place] ?? 0) - (right[place] ?? 0);
  });
}

function numbers(version: string): number[] {
  return version.split('.').map(Number);
}
