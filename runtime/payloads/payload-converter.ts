import { DefaultPayloadConverter, type Payload, type SerializationContext } from '@temporalio/common';
import { isNestedDeeper, MAX_DEPTH, MAX_PAYLOAD_DEPTH } from '../../agent/values/json-depth';
import { UNREADABLE, Unreadable } from '../../agent/values/unreadable';

/** Characters of an encoding and of a codec's error that are shown. */
const MAX = { encoding: 100, problem: 200 } as const;
const EXPECTED =
  'send JSON with the encoding `json/plain`; where payloads are encrypted, the worker needs the codec of the sender';

/**
 * Never throws on decoding. The SDK decodes before it calls a handler, and an exception there fails the workflow task
 * forever: unreadable data becomes an {@link Unreadable}, which the workflow refuses by name. It is part of the
 * workflow bundle. In Node it is not used for activities, whose arguments the SDK refuses by itself.
 */
class TolerantConverter extends DefaultPayloadConverter {
  override fromPayload<T>(payload: Payload, context?: SerializationContext): T {
    try {
      const value = super.fromPayload<T>(payload, context);
      // Each level takes at least two bytes, so most payloads need no check. Bytes are flat.
      const isFlat = (payload.data?.length ?? 0) <= 2 * MAX_PAYLOAD_DEPTH || value instanceof Uint8Array;
      if (isFlat || !isNestedDeeper(value, MAX_PAYLOAD_DEPTH)) return value;
      return new Unreadable(`its JSON is nested deeper than ${MAX_DEPTH} levels`) as T;
    } catch {
      return new Unreadable(problemOf(payload)) as T;
    }
  }

  /** The encoding is checked first, since the exception's text changes with the SDK and shows the data. */
  knows(encoding: string): boolean {
    return this.converterByEncoding.has(encoding);
  }
}

export const payloadConverter = new TolerantConverter();

function problemOf({ metadata }: Payload): string {
  const encoding = textOf(metadata?.encoding, MAX.encoding);
  if (encoding === UNREADABLE.encoding) {
    const was = textOf(metadata?.[UNREADABLE.was], MAX.encoding);
    const problem = textOf(metadata?.[UNREADABLE.problem], MAX.problem);
    if (was === UNREADABLE.stored) return problem;
    return `a codec of the worker could not decode it (encoding \`${was}\`): ${problem}`;
  }
  if (encoding === '') return `its metadata names no encoding; ${EXPECTED}`;
  if (payloadConverter.knows(encoding))
    return `its encoding is \`${encoding}\`, but its data is not valid; ${EXPECTED}`;
  return `nothing here reads its encoding \`${encoding}\`; ${EXPECTED}`;
}

/** One line. Bytes that are not UTF-8 become replacement characters. */
function textOf(bytes: Uint8Array | null | undefined, max: number): string {
  if (bytes === undefined || bytes === null) return '';
  const text = new TextDecoder().decode(bytes.subarray(0, max * 4));
  return text
    .replace(/[\s\p{C}`]+/gu, ' ')
    .trim()
    .slice(0, max);
}
