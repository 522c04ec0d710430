/** Types of failures which mean that a worker lacks what an activity needs, and has started nothing. */
export const MISSING: ReadonlySet<string | null | undefined> = new Set([
  'ToolMissing',
  'UnknownAgent',
  'UnknownModel',
  'UnknownVersion',
]);
