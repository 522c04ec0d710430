import { resultTooDeep } from '../../agent/prompts/results';
import type { ToolSpec } from '../../agent/protocol/manifest';
import type { ToolOutcome } from '../../agent/protocol/tool-call';
import { errorOutcome } from '../../agent/protocol/tool-outcome';
import { isNestedDeeper, MAX_DEPTH } from '../../agent/values/json-depth';

/** Whether the JSON of what a tool returned is nested deeper than a run can read. */
export function isTooDeep(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  try {
    const json = JSON.stringify(value);
    // Not the value itself, which may be anything: `toJSON` may change it. Each level is two characters.
    return json !== undefined && json.length > 2 * MAX_DEPTH && isNestedDeeper(JSON.parse(json));
  } catch (error) {
    // A value that is not JSON for another reason fails where it is written.
    return error instanceof RangeError;
  }
}

export function tooDeep({ modelName }: ToolSpec): ToolOutcome {
  return errorOutcome('ResultTooLarge', resultTooDeep(modelName));
}
