import { isSchema, type Schema, toJsonSchema } from '../contracts/schema';
import { HoldfastError } from '../errors/error';
import { checkPolicy } from './checks/policy';
import type { AnyTool, Tool, ToolDefinition } from './tool-definition';

/**
 * Defines a tool and checks it.
 * @throws HoldfastError `InvalidDefinition`, naming the field
 */
export function defineTool<In extends Schema, Result>(tool: ToolDefinition<In, Result>): Tool<In, Result> {
  // The checks know nothing of the types that its schema describes.
  checkTool(tool as unknown as AnyTool, 'defineTool');
  return Object.freeze({ ...tool });
}

/** Checks a tool; `place` names it in messages. */
export function checkTool(tool: AnyTool, place: string): void {
  const fail = (field: string, problem: string): never => {
    throw new HoldfastError('InvalidDefinition', { place: `${place}.${field}`, problem });
  };
  if (typeof tool !== 'object' || tool === null) {
    throw new HoldfastError('InvalidDefinition', { place, problem: 'Expected a tool made by `defineTool`' });
  }
  if (typeof tool.description !== 'string' || tool.description.trim() === '') {
    fail('description', 'Expected a text that tells the model what the tool does');
  }
  if (typeof tool.run !== 'function') fail('run', 'Expected a function `(input, ctx) => result`');
  if (!isSchema(tool.input)) fail('input', 'Expected a schema, such as `z.object({ … })`');
  for (const field of ['input', 'output'] as const) {
    const schema = tool[field];
    if (schema === undefined) continue;
    if (!isSchema(schema)) fail(field, 'Expected a schema, such as `z.object({ … })`');
    try {
      const json = toJsonSchema(schema);
      if (field === 'input' && json.type !== 'object') fail(field, `Expected an object schema, got \`${json.type}\``);
    } catch (error) {
      if (error instanceof HoldfastError) throw error;
      fail(field, (error as Error).message);
    }
  }
  checkPolicy(tool, place);
}
