import type { FetchLike } from '@modelcontextprotocol/client';
import { boundedFetch } from '../bounded-fetch';

/** Milliseconds that an authorization server may take for each answer. */
const TIME = 10_000;

/**
 * Asks an authorization server, or for the metadata of a server. Without the headers of the server's definition: they
 * are for the server alone.
 */
export const authFetch: FetchLike = (url, init) =>
  boundedFetch({}, url, { ...init, signal: AbortSignal.timeout(TIME) });
