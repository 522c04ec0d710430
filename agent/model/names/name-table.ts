import { hashText } from '../../values/hash';

/** Tool names that providers accept. */
const MODEL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX = 64;

/**
 * Maps canonical tool names to names for the model: `weather.forecast` becomes `weather_forecast`. A name that is too
 * long, or that another tool already has, gets a suffix made from its canonical name, so that it does not depend on the
 * order of the tools. Names are mapped back with this table, never by reversing the replacement.
 */
export function nameTable(names: readonly string[]): Map<string, string> {
  const plain = names.map((name) => name.replace(/[^a-zA-Z0-9_-]/g, '_') || '_');
  const wanted = new Map<string, number>();
  for (const name of plain) wanted.set(name, (wanted.get(name) ?? 0) + 1);
  const table = new Map<string, string>();
  names.forEach((name, i) => {
    const short = plain[i] as string;
    const unique = wanted.get(short) === 1 || short === name;
    if (unique && MODEL_NAME.test(short)) table.set(name, short);
  });
  const taken = new Set(table.values());
  // Sorted by name: collisions of suffixes must not depend on the order either.
  const others = names.map((name, i) => ({ name, short: plain[i] as string })).filter(({ name }) => !table.has(name));
  for (const { name, short } of others.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    let told = suffixed(short, name);
    for (let n = 2; taken.has(told); n++) told = suffixed(short, `${name} ${n}`);
    taken.add(told);
    table.set(name, told);
  }
  return new Map(names.map((name) => [name, table.get(name) as string]));
}

function suffixed(short: string, seed: string): string {
  const suffix = `_${hashText(seed).slice(0, 8)}`;
  return short.slice(0, MAX - suffix.length) + suffix;
}

/** Up to three of `names` that look like `name`: what a model or a person may have meant. */
export function nearNames(name: string, names: readonly string[]): string[] {
  return names
    .map((known) => ({ known, distance: editDistance(name.toLowerCase(), known.toLowerCase()) }))
    .filter(({ known, distance }) => distance <= Math.max(2, Math.ceil(Math.max(known.length, name.length) / 2)))
    .sort((a, b) => a.distance - b.distance || (a.known < b.known ? -1 : 1))
    .slice(0, 3)
    .map(({ known }) => known);
}

/** Levenshtein distance. Only the first 100 characters of a text are compared. */
export function editDistance(a: string, b: string): number {
  const [s, t] = [a.slice(0, 100), b.slice(0, 100)];
  let row = Array.from({ length: t.length + 1 }, (_, i) => i);
  for (let i = 1; i <= s.length; i++) {
    const next = [i];
    for (let j = 1; j <= t.length; j++) {
      const same = s[i - 1] === t[j - 1] ? 0 : 1;
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[t.length] ?? 0;
}
