import { checkSchema } from '../contracts/check-schema';
import type { Schema } from '../contracts/schema';
import { shorten } from '../values/shorten';
import { checkFields, fail, isRecord, isText } from './checks/fail';
import { checkPolicy, POLICY } from './checks/policy';
import type { AnyTool, Tool, ToolDefinition } from './tool-definition';

/**
 * Defines a tool and checks it.
 * @throws HoldfastError `InvalidDefinition`, naming the field
 */
export function defineTool<In extends Schema, Result>(tool: ToolDefinition<In, Result>): Tool<In, Result> {
  // The checks do not need the types that its schema describes.
  const checked = tool as unknown as AnyTool;
  // The agent names the tool only later; its description tells which one of a module it is.
  const description = isRecord(tool) && isText(tool.description) ? tool.description : undefined;
  checkTool(checked, description === undefined ? 'defineTool' : `Tool \`${shorten(description, DESCRIPTION)}\``);
  return Object.freeze({ ...tool });
}

/** Characters of a description in an error. */
const DESCRIPTION = 50;

const TOOL = [
  'description',
  'inputSchema',
  'outputSchema',
  'execute',
  ...POLICY.filter((field) => field !== 'questionsExpire'),
];

/** Checks a tool; `place` names it in messages. */
export function checkTool(tool: AnyTool, place: string): void {
  if (!isRecord(tool)) fail(place, 'Expected a tool made by `defineTool`');
  checkFields(tool, TOOL, place);
  if (typeof tool.description !== 'string' || tool.description.trim() === '') {
    fail(`${place}.description`, 'Expected a string that tells the model what the tool does');
  }
  if (typeof tool.execute !== 'function') fail(`${place}.execute`, 'Expected a function `(input, ctx) => result`');
  checkSchema(tool.inputSchema, `${place}.inputSchema`, { isObject: true });
  // `execute` returns values of the language, which are checked before they become JSON.
  if (tool.outputSchema !== undefined) checkSchema(tool.outputSchema, `${place}.outputSchema`, { from: 'code' });
  checkPolicy(tool, place);
}
