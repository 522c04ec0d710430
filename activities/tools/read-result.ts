import { partsIn } from '../../agent/model/cut-tool-result';
import type { ContentPart } from '../../agent/model/message';
import type { ToolSpec } from '../../agent/protocol/manifest';
import type { ToolOutcome } from '../../agent/protocol/tool-call';
import { errorOutcome } from '../../agent/protocol/tool-outcome';
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
    if ('problem' in result) return unwritable(modelName, result.problem);
    const { json = 'done' } = result;
    // Each level is two characters.
    if (json.length > 2 * MAX_DEPTH && isNestedDeeper(JSON.parse(json))) return tooDeep(modelName);
    return partsIn(value) ?? [{ type: 'text', text: json }];
  } catch (error) {
    if (error instanceof RangeError) return tooDeep(modelName);
    throw error;
  }
}

function unwritable(tool: string, problem: string): ToolOutcome {
  return errorOutcome('InvalidResult', `\`${tool}\` ran, but its result cannot be written as JSON: ${problem}`);
}

function tooDeep(tool: string): ToolOutcome {
  const message =
    `The result of \`${tool}\` is nested deeper than ${MAX_DEPTH} levels, which cannot be kept. The tool did run. ` +
    'Ask for less of it, or let it write a file and return the path.';
  return errorOutcome('ResultTooLarge', message);
}
