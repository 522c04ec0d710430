import { MAX_TOP, SEARCH_TOOLS } from '../../../tool-filter/tool-filter';
import type { AgentDefinition } from '../../agent-definition';
import { FILE_TOOLS } from '../../built-in/file-tools';
import { LOOP_TOOLS } from '../../built-in/loop-tools';
import { checkFields, fail, isRecord, isText } from '../fail';

const FIELDS = ['top', 'ranker', 'always'];

/** Checks which tools an agent offers its model. */
export function checkToolFilter(definition: AgentDefinition, place: string): void {
  const { toolFilter } = definition;
  const at = `${place}.toolFilter`;
  if (toolFilter === undefined || typeof toolFilter === 'boolean') return;
  if (!isRecord(toolFilter))
    fail(at, `Expected \`true\`, \`false\` or an object such as \`{ top: 15 }\`, got \`${String(toolFilter)}\``);
  checkFields(toolFilter, FIELDS, at);
  const { top, ranker, always } = toolFilter;
  if (top !== undefined && !(Number.isInteger(top) && top >= 1 && top <= MAX_TOP))
    fail(`${at}.top`, `Expected a whole number from 1 to ${MAX_TOP}, got \`${String(top)}\``);
  if (ranker !== undefined && !isText(ranker))
    fail(`${at}.ranker`, 'Expected `bm25`, or an alias under `embeddings` in temporal.yaml');
  if (always === undefined) return;
  if (!Array.isArray(always) || !always.every(isText)) fail(`${at}.always`, 'Expected a list of names of tools');
  for (const name of always) checkKnown(name, definition, `${at}.always`);
}

/** Which tools an MCP server has is known only when a run starts. */
function checkKnown(
  name: string,
  { tools = {}, services = {}, questions = {}, mcp = {}, files }: AgentDefinition,
  at: string,
): void {
  const own = [tools, services, questions].some((record) => Object.hasOwn(record, name));
  const isFile = files !== undefined && FILE_TOOLS.some((tool) => tool.name === name);
  const ofServer = name.includes('.') && Object.hasOwn(mcp, name.split('.', 1)[0] ?? '');
  const always = name === SEARCH_TOOLS || LOOP_TOOLS.some((loop) => loop === name);
  if (own || isFile || ofServer || always) return;
  fail(at, `The agent has no tool \`${name}\`; a tool of an MCP server is named \`server.tool\``);
}
