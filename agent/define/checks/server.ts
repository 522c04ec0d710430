import type { McpServer } from '../mcp-server';
import { checkDuration, checkFields, fail, isText } from './fail';
import { checkHeaders } from './headers';
import { executionProblem } from './policy';

const FIELDS = [
  ...['command', 'args', 'env', 'cwd'],
  ...['url', 'headers', 'transport'],
  ...['trusted', 'approval', 'execution', 'startTimeout', 'timeout'],
];

/** Checks an entry under `mcp` of an agent: an alias, or the definition of a server. */
export function checkServer(server: string | McpServer, place: string): void {
  if (typeof server === 'string' && server !== '') return;
  const given = (typeof server === 'object' && server !== null ? server : {}) as { command?: unknown; url?: unknown };
  const [hasCommand, hasUrl] = [isText(given.command), isText(given.url)];
  if (hasCommand === hasUrl) {
    const what = hasUrl ? 'either a `command` or a `url`, got both' : 'a definition with a `command` or a `url`';
    fail(place, `Expected an alias of \`mcp\` in temporal.yaml, or ${what}`);
  }
  checkFields(given, FIELDS, place);
  if (hasUrl) checkHttp(server as { url: string }, place);
  // The form is unknown until each field has been checked.
  const { approval, execution, ...times } = server as McpServer;
  if (!['never', 'always', 'hints', undefined].includes(approval)) {
    fail(`${place}.approval`, `Expected \`never\`, \`always\` or \`hints\`, got \`${String(approval)}\``);
  }
  const problem = executionProblem(execution);
  if (problem !== undefined) fail(`${place}.execution`, problem);
  for (const field of ['startTimeout', 'timeout'] as const) checkDuration(times[field], `${place}.${field}`);
}

function checkHttp(server: { url: string; headers?: unknown; transport?: unknown }, place: string): void {
  const problem = urlProblem(server.url);
  if (problem !== undefined) fail(`${place}.url`, problem);
  if (!['http', 'sse', undefined].includes(server.transport as string | undefined)) {
    fail(`${place}.transport`, "Expected 'http' or 'sse'");
  }
  checkHeaders(server.headers, `${place}.headers`);
}

/** What is wrong with the URL of an MCP server or a webhook. The URL is not repeated: it may hold a key. */
export function urlProblem(url: string, example = 'https://example.com/mcp'): string | undefined {
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) return `Expected a URL such as \`${example}\``;
  const { username, password } = new URL(url);
  return username + password === ''
    ? undefined
    : 'Expected a URL without user name and password; send an `Authorization` header';
}
