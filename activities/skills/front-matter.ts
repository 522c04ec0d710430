import { parseDocument } from 'yaml';
import { isJsonObject } from '../../agent/values/json';

/** What a skill says about itself, before its instructions. */
export interface FrontMatter {
  name: string;
  description: string;
}

/** Letters, digits, `-` and `_`, as folders of skills are named everywhere. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** Characters of a description: all of them are in the system prompt. */
const MAX_DESCRIPTION = 1024;
/** Between two lines of `---`, the first one at the beginning of the file. */
const BLOCK = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;

/**
 * Reads the front matter of a `SKILL.md`.
 * @throws Error that says what is wrong with it
 */
export function readFrontMatter(text: string): FrontMatter {
  const block = BLOCK.exec(text);
  if (block === null) throw new Error('Expected the file to begin with YAML between two lines of `---`');
  const { name, description } = parsed(block[1] ?? '');
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new Error(`Expected \`name\` to be 1 to 64 letters, digits, \`-\` and \`_\`, got ${shown(name)}`);
  }
  if (typeof description !== 'string' || description.trim() === '') {
    throw new Error('Expected `description` to be a text that says when to use the skill');
  }
  // The list of skills has a line for each.
  const line = description.replace(/\s+/g, ' ').trim();
  if (line.length > MAX_DESCRIPTION) {
    throw new Error(`Expected \`description\` to have at most ${MAX_DESCRIPTION} characters, got ${line.length}`);
  }
  return { name, description: line };
}

/** Without aliases: a few nested ones expand to gigabytes. */
function parsed(yaml: string): { [field: string]: unknown } {
  const document = parseDocument(yaml, { prettyErrors: true, logLevel: 'error' });
  const [problem] = document.errors;
  if (problem !== undefined) throw new Error(`Its front matter is not valid YAML: ${problem.message.split('\n')[0]}`);
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  if (!isJsonObject(value)) throw new Error('Expected its front matter to have `name` and `description`');
  return value;
}

function shown(given: unknown): string {
  return given === undefined ? 'none' : `\`${String(JSON.stringify(given)).slice(0, 100)}\``;
}
