import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { messageOf } from '../../../agent/error';

export function codeOf(error: unknown): SdkErrorCode | undefined {
  return error instanceof SdkError ? error.code : undefined;
}

/** The SDK throws a plain Error when the transport is gone before the request is made. */
export function neverSent(error: unknown): boolean {
  return codeOf(error) === SdkErrorCode.NotConnected || messageOf(error) === 'Not connected';
}

/** The SDK lists what it misses in an answer over many lines. */
export function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/\s+/g, ' ').trim().slice(0, 300);
}
