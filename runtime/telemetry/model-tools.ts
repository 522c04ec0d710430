import type { ToolSpec } from '../../agent/protocol/manifest';
import { remembered } from '../../agent/values/remembered';

type ShownTool = Pick<ToolSpec, 'modelName' | 'description' | 'inputSchema'>;

/** Only so many tools get separate attributes: beside those of the messages, a span has room for few more of its 128. */
const MAX_FLAT = 16;

/** The tools of a model call as one JSON, by OpenTelemetry's convention. */
export function toolDefinitions(tools: readonly ShownTool[]): { [name: string]: string } {
  return tools.length === 0 ? {} : { 'gen_ai.tool.definitions': textsOf(tools).definitions };
}

/** The first tools of a model call with an attribute each, by OpenInference's convention. */
export function toolSchemas(tools: readonly ShownTool[]): { [name: string]: string } {
  return textsOf(tools).schemas;
}

/** Of the tools of a manifest, which all calls of a run share. */
const textsOf = remembered((tools: readonly ShownTool[]) => ({
  definitions: JSON.stringify(tools.map((tool) => ({ type: 'function', ...definitionOf(tool) }))),
  schemas: Object.fromEntries(
    tools
      .slice(0, MAX_FLAT)
      .map((tool, i) => [
        `llm.tools.${i}.tool.json_schema`,
        JSON.stringify({ type: 'function', function: definitionOf(tool) }),
      ]),
  ),
}));

function definitionOf({ modelName: name, description, inputSchema: parameters }: ShownTool) {
  return { name, description, parameters };
}
