import type { EnvReference, McpServer } from './define-agent';
import { milliseconds } from './duration';
import { HoldfastError } from './error';

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VARIABLE_NAME = /^[A-Za-z_]\w*$/;

/** Checks what an agent names under `mcp`: an alias, or the definition of a server. */
export function checkServer(server: string | McpServer, place: string): void {
  if (typeof server === 'string' && server !== '') return;
  const given = (typeof server === 'object' && server !== null ? server : {}) as { command?: unknown; url?: unknown };
  const [hasCommand, hasUrl] = [isText(given.command), isText(given.url)];
  if (hasCommand === hasUrl) {
    const what = hasUrl ? 'either a `command` or a `url`, got both' : 'a definition with a `command` or a `url`';
    fail(place, `Expected an alias of \`mcp\` in temporal.yaml, or ${what}`);
  }
  if (hasUrl) checkHttp(server as { url: string }, place);
  for (const field of ['startTimeout', 'timeout'] as const) {
    const value = (server as McpServer)[field];
    if (value !== undefined && milliseconds(value) === undefined) {
      fail(`${place}.${field}`, `Expected milliseconds or a duration such as '30s', got \`${String(value)}\``);
    }
  }
}

function checkHttp(server: { url: string; headers?: unknown; transport?: unknown }, place: string): void {
  const problem = urlProblem(server.url);
  if (problem !== undefined) fail(`${place}.url`, problem);
  if (!['http', 'sse', undefined].includes(server.transport as string | undefined)) {
    fail(`${place}.transport`, "Expected 'http' or 'sse'");
  }
  for (const [name, value] of Object.entries(server.headers ?? {})) {
    const at = `${place}.headers.${name}`;
    if (!HEADER_NAME.test(name)) fail(at, 'This is no name of a header');
    // The value itself is never shown: it may be the secret that does not belong there.
    if (isReference(value)) continue;
    fail(at, "Expected `{ env: 'NAME' }`: secrets stay in the environment, and plain values in temporal.yaml");
  }
}

/** What is wrong with the address of an MCP server. Its text is not repeated: it may hold a key. */
export function urlProblem(url: string): string | undefined {
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) return 'Expected a URL such as `https://example.com/mcp`';
  const { username, password } = new URL(url);
  return username + password === ''
    ? undefined
    : 'Expected a URL without user name and password; send an `Authorization` header';
}

function isReference(value: unknown): value is EnvReference {
  if (typeof value !== 'object' || value === null) return false;
  const { env, prefix, ...rest } = value as Record<string, unknown>;
  if (typeof env !== 'string' || !VARIABLE_NAME.test(env)) return false;
  return (prefix === undefined || typeof prefix === 'string') && Object.keys(rest).length === 0;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function fail(place: string, problem: string): never {
  throw new HoldfastError('InvalidDefinition', { place, problem });
}
