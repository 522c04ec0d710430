import { METADATA_ENCODING_KEY, type Payload } from '@temporalio/common';
import { UNREADABLE } from '../../agent/values/unreadable';

/**
 * Takes the place of a payload that cannot be read: the workflow refuses its value by name.
 * @param was its encoding
 * @param problem what is wrong, in one sentence, never the data
 */
export function unreadablePayload(was: string | Uint8Array, problem: string): Payload {
  return {
    metadata: {
      [METADATA_ENCODING_KEY]: MARK,
      [UNREADABLE.was]: typeof was === 'string' ? Buffer.from(was) : was,
      [UNREADABLE.problem]: Buffer.from(problem),
    },
  };
}

const MARK = Buffer.from(UNREADABLE.encoding);

/** Whether a payload is one of {@link unreadablePayload}. */
export function isUnreadablePayload({ metadata }: Payload): boolean {
  const encoding = metadata?.[METADATA_ENCODING_KEY];
  return encoding?.length === MARK.length && MARK.equals(encoding);
}

/** What is wrong with a payload; `undefined` for one that is readable. */
export function problemOfUnreadable(payload: Payload): string | undefined {
  if (!isUnreadablePayload(payload)) return undefined;
  return Buffer.from(payload.metadata?.[UNREADABLE.problem] ?? []).toString();
}
