import { SEARCH_TOOLS } from '../../tool-filter/tool-filter';
import type { AgentDefinition } from '../agent-definition';
import { FILE_TOOLS } from '../built-in/file-tools';
import { LOOP_TOOLS } from '../built-in/loop-tools';
import { READ_SKILL_TOOL } from '../built-in/skill-tool';
import { fail } from './fail';

const TOOL_NAME = /^[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/;
const SERVER_NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/**
 * Checks the names of tools, services and MCP servers: they are the only ids in model calls and in results of calls.
 */
export function checkNames(definition: AgentDefinition, place: string): void {
  const { tools = {}, services = {}, questions = {}, mcp = {}, files, skills } = definition;
  const servers = Object.keys(mcp);
  const filters = (definition.toolFilter ?? false) !== false;
  for (const server of servers) {
    if (!SERVER_NAME.test(server))
      fail(`${place}.mcp.${server}`, 'A server is named with letters, digits, `_` and `-`');
    if (server.toLowerCase() === 'holdfast') fail(`${place}.mcp.${server}`, 'The name `holdfast` is taken');
  }
  const named = [
    ...Object.keys(tools).map((name) => ({ name, at: `${place}.tools.${name}`, what: 'tool' })),
    ...Object.keys(services).map((name) => ({ name, at: `${place}.services.${name}`, what: 'service' })),
    ...Object.keys(questions).map((name) => ({ name, at: `${place}.questions.${name}`, what: 'question' })),
  ];
  for (const { name, at, what } of named) {
    checkName(name, at, what, servers);
    if (what !== 'tool' && Object.hasOwn(tools, name))
      fail(at, 'The agent has a tool of this name; choose another name');
    if (what === 'question' && Object.hasOwn(services, name))
      fail(at, 'The agent has a service of this name; choose another name');
    if (LOOP_TOOLS.some((loop) => loop === name) && !(what === 'question' && name !== 'task_completion'))
      fail(at, 'The loop has a tool of this name (`loopTools`); choose another name');
    if (files !== undefined && FILE_TOOLS.some((tool) => tool.name === name))
      fail(at, 'The agent has `files`, which brings a tool of this name');
    if (skills !== undefined && name === READ_SKILL_TOOL)
      fail(at, 'The agent has `skills`, which brings a tool of this name');
    if (filters && name === SEARCH_TOOLS)
      fail(at, 'The agent has `toolFilter`, which brings a tool of this name; choose another name');
  }
}

function checkName(name: string, at: string, what: string, servers: readonly string[]): void {
  if (!TOOL_NAME.test(name)) fail(at, `A ${what} is named with letters, digits, \`_\`, \`-\` and dots, a letter first`);
  if (name === 'default' || name in Object.prototype) fail(at, 'This name has a meaning in JavaScript; choose another');
  const prefix = name.split('.', 1)[0] as string;
  if (prefix.toLowerCase() === 'holdfast') fail(at, 'The prefix `holdfast` is taken');
  if (name.includes('.') && servers.includes(prefix))
    fail(at, `The MCP server \`${prefix}\` names its tools \`${prefix}.…\`; choose another name`);
}
