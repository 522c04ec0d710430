import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { McpServer } from '../../../agent/define/mcp-server';
import { messageOf } from '../../../agent/errors/error';
import { withoutSecrets } from '../secrets';

export function codeOf(error: unknown): SdkErrorCode | undefined {
  return error instanceof SdkError ? error.code : undefined;
}

/** The SDK throws a plain Error if the transport is gone before the request is made. */
export function neverSent(error: unknown): boolean {
  return codeOf(error) === SdkErrorCode.NotConnected || messageOf(error) === 'Not connected';
}

/** Characters of an error that are read; {@link told} cuts what is shown of it after removing the secrets. */
const LONGEST = 10_000;
/** Characters of an error that are shown. */
const TOLD = 400;

/** The SDK lists what is missing in an answer over many lines. */
export function oneLine(error: unknown): string {
  // No `instanceof Error`: what Node's fetch throws is an Error of another realm when tests run in a realm of their
  // own.
  const { message, name } = (error ?? {}) as { message?: unknown; name?: unknown };
  const text = String(message || name || error);
  return text.replace(/\s+/g, ' ').trim().slice(0, LONGEST);
}

/** A problem as people may read it, without secrets. */
export function told(problem: string, definition: McpServer): string {
  return withoutSecrets(problem, definition).slice(0, TOLD);
}
