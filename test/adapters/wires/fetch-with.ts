import type { JsonObject } from '../../../agent/values/json';

/** A fetch that adds fields to the body of each request, as users of the AI SDK do it. */
export function fetchWith(fields: JsonObject = {}): typeof fetch {
  return (url, init) => fetch(url, { ...init, body: JSON.stringify({ ...JSON.parse(String(init?.body)), ...fields }) });
}
