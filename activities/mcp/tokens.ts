import type { McpHttpServer } from '../../agent/define/mcp-server';
import { canonicalJson } from '../../agent/values/json';

/** Tokens of each server that are still kept out of texts: a call may fail after its token was replaced. */
const KEPT = 4;

const given = new Map<string, string[]>();

/** Notes a token that an authorization server gave for a server, so that no error repeats it. */
export function noteToken(definition: McpHttpServer, token: string): void {
  const key = canonicalJson(definition);
  given.set(key, [token, ...(given.get(key) ?? [])].slice(0, KEPT));
}

/** The last tokens of a server. */
export function tokensOf(definition: McpHttpServer): readonly string[] {
  return definition.auth === undefined ? [] : (given.get(canonicalJson(definition)) ?? []);
}
