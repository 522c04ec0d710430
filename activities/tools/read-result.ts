import { partsIn } from '../../agent/model/cut-tool-result';
import type { ContentPart } from '../../agent/model/message';
import { resultUnwritable } from '../../agent/prompts/calls/failed-calls';
import { nothingReturned, resultTooDeep } from '../../agent/prompts/calls/results';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import type { ToolSpec } from '../../agent/protocol/manifest';
import { isNestedDeeper, MAX_DEPTH } from '../../agent/values/json-depth';
import { isError, resultJson } from './result-json';

/**
 * The return value of a tool as parts: a text, parts unchanged, anything else as JSON. Or an error that the model reads,
 * if it cannot be kept.
 * @throws the value itself if it is an `Error`: a tool that returns one has failed
 */
export function readResult({ modelName }: Pick<ToolSpec, 'modelName'>, value: unknown): ContentPart[] | ToolOutcome {
  if (isError(value)) throw value;
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  try {
    const result = resultJson(value);
    if ('problem' in result) {
      return errorOutcome('InvalidResult', resultUnwritable(modelName, result.problem));
    }
    const { json = nothingReturned() } = result;
    // Each level is two characters.
    if (json.length > 2 * MAX_DEPTH && isNestedDeeper(JSON.parse(json))) return tooDeep(modelName);
    return partsIn(value) ?? [{ type: 'text', text: json }];
  } catch (error) {
    if (error instanceof RangeError) return tooDeep(modelName);
    throw error;
  }
}

function tooDeep(tool: string): ToolOutcome {
  return errorOutcome('ResultTooLarge', resultTooDeep(tool));
}
