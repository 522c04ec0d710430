import type { McpServer } from '../mcp-server';
import { checkDuration, checkFields, fail, isText } from './fail';
import { checkHeaders, checkReference } from './headers';
import { executionProblem } from './policy';

const FIELDS = [
  ...['command', 'args', 'env', 'cwd'],
  ...['url', 'headers', 'auth', 'transport'],
  ...['tools', 'trusted', 'approval', 'execution', 'startTimeout', 'timeout'],
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
  else if ('auth' in given) fail(`${place}.auth`, 'A server with a `command` gets its credentials in `env`');
  // The form is unknown until each field has been checked.
  const { tools, approval, execution, ...times } = server as McpServer;
  if (tools !== undefined && !(Array.isArray(tools) && tools.length > 0 && tools.every(isText))) {
    fail(`${place}.tools`, EXPECTED_TOOLS);
  }
  if (!['never', 'always', 'hints', undefined].includes(approval)) {
    fail(`${place}.approval`, `Expected \`never\`, \`always\` or \`hints\`, got \`${String(approval)}\``);
  }
  const problem = executionProblem(execution);
  if (problem !== undefined) fail(`${place}.execution`, problem);
  for (const field of ['startTimeout', 'timeout'] as const) checkDuration(times[field], `${place}.${field}`);
}

function checkHttp(
  server: { url: string; headers?: unknown; auth?: unknown; transport?: unknown },
  place: string,
): void {
  const problem = urlProblem(server.url);
  if (problem !== undefined) fail(`${place}.url`, problem);
  if (!['http', 'sse', undefined].includes(server.transport as string | undefined)) {
    fail(`${place}.transport`, "Expected 'http' or 'sse'");
  }
  checkHeaders(server.headers, `${place}.headers`);
  if (server.auth === undefined) return;
  checkAuth(server.auth, `${place}.auth`);
  if (hasAuthorization(server.headers)) fail(place, AUTH_TWICE);
}

const AUTH_FIELDS = ['clientId', 'clientSecret', 'scopes', 'issuer'];
/** What is wrong with a server that would get two credentials. */
export const AUTH_TWICE = 'Expected either `auth` or a header `Authorization`, got both';

export function hasAuthorization(headers: unknown): boolean {
  return Object.keys(headers ?? {}).some((name) => name.toLowerCase() === 'authorization');
}

function checkAuth(auth: unknown, place: string): void {
  if (typeof auth !== 'object' || auth === null) fail(place, 'Expected a `clientId` and a `clientSecret`');
  checkFields(auth, AUTH_FIELDS, place);
  const { clientId, clientSecret, scopes = [], issuer } = auth as { [field: string]: unknown };
  if (!isText(clientId)) fail(`${place}.clientId`, 'Expected the id of the client at the authorization server');
  checkReference(clientSecret, `${place}.clientSecret`);
  if (!Array.isArray(scopes) || !scopes.every(isScope)) fail(`${place}.scopes`, EXPECTED_SCOPES);
  if (issuer === undefined) return;
  const problem = isText(issuer) ? urlProblem(issuer, 'https://auth.example.com') : 'Expected a URL';
  if (problem !== undefined) fail(`${place}.issuer`, problem);
}

export const EXPECTED_TOOLS = 'Expected a list of names of tools, in which `*` stands for any characters';

export const EXPECTED_SCOPES = 'Expected a list of scopes, each without spaces';

export function isScope(scope: unknown): scope is string {
  return typeof scope === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope);
}

/** What is wrong with the URL of an MCP server or a webhook. The URL is not repeated: it may hold a key. */
export function urlProblem(url: string, example = 'https://example.com/mcp'): string | undefined {
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) return `Expected a URL such as \`${example}\``;
  const { username, password } = new URL(url);
  return username + password === ''
    ? undefined
    : 'Expected a URL without user name and password; send an `Authorization` header';
}
