const UNIT = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Milliseconds, or a text such as `'30s'`, `'5m'`, `'3d'`. */
export type Duration = number | `${number}${keyof typeof UNIT}`;

/** Milliseconds of a duration; `undefined` for anything else and for durations that are not above zero. */
export function milliseconds(duration: unknown): number | undefined {
  if (typeof duration === 'number') return wholeMilliseconds(duration);
  const match = typeof duration === 'string' ? /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/.exec(duration.trim()) : null;
  if (match === null) return undefined;
  return wholeMilliseconds(Number(match[1]) * UNIT[match[2] as keyof typeof UNIT]);
}

function wholeMilliseconds(given: number): number | undefined {
  const ms = Math.round(given);
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
