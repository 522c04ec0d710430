import type { JsonSchema, ToolSpec } from '../protocol/manifest';
import { isJsonObject } from '../values/json';

/** What tools are ranked by. */
export type RankedTool = Pick<ToolSpec, 'name' | 'description' | 'inputSchema'>;

/** Characters of a description that count. What a tool does is at its beginning, examples and warnings come later. */
const DESCRIPTION = 600;

/** What a tool is about, in the parts that are compared. */
export interface ToolText {
  /** Its name in words: `files.readTextFile` is `files read text file`. */
  name: string;
  /** The beginning of its description. */
  description: string;
  /** The names of its parameters in words. */
  parameters: string;
}

export function toolText({ name, description, inputSchema }: RankedTool): ToolText {
  return {
    name: inWords(name),
    description: description.slice(0, DESCRIPTION),
    parameters: parameterNames(inputSchema).map(inWords).join(' '),
  };
}

/** The text of a tool in one piece, as an embedding model reads it. */
export function wholeText(tool: RankedTool): string {
  const { name, description, parameters } = toolText(tool);
  return [name, description, parameters].filter((text) => text !== '').join('. ');
}

function parameterNames({ properties }: JsonSchema): string[] {
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

/** A name in words: split where case or the kind of character changes. */
export function inWords(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
