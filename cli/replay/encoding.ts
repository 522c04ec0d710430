import type { FoundHistory } from './histories';

/** Encodings of payloads that need no codec. */
const PLAIN: ReadonlySet<string> = new Set([
  'json/plain',
  'json/protobuf',
  'binary/null',
  'binary/plain',
  'binary/protobuf',
]);

/** The encoding of the first input of a history that only a codec can read. */
export function encodingOf({ events }: FoundHistory['history']): string | undefined {
  const [payload] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  const encoding = payload?.metadata?.encoding;
  if (encoding === undefined) return undefined;
  const name = Buffer.from(encoding).toString();
  return PLAIN.has(name) ? undefined : name;
}
