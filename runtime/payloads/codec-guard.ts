import { ApplicationFailure, METADATA_ENCODING_KEY, type Payload, type PayloadCodec } from '@temporalio/common';
import { messageOf } from '../../agent/errors/error';
import { isUnreadablePayload, unreadablePayload } from './unreadable-payload';

/**
 * Codecs whose `decode` does not fail because of one payload. They run before the workflow, and an exception would fail
 * its task forever: a payload that a codec cannot decode is marked instead, and the workflow refuses it by name. An
 * error that may go away is rethrown, so that the task is retried: a network error, and an `ApplicationFailure` that is
 * not `nonRetryable`.
 */
export function guardCodecs(codecs: readonly PayloadCodec[]): PayloadCodec[] {
  return codecs.map((codec) => ({
    encode: (payloads, context) => codec.encode(payloads, context),
    async decode(payloads, context) {
      // The next codec could not read a marked payload: the first error is the reason.
      if (payloads.some(isUnreadablePayload)) return each(codec, payloads, context);
      try {
        return counted(await codec.decode(payloads, context), payloads.length);
      } catch (error) {
        if (mayPass(error)) throw error;
        return payloads.length === 1
          ? payloads.map((payload) => marked(payload, error))
          : each(codec, payloads, context);
      }
    },
  }));
}

type Context = Parameters<PayloadCodec['decode']>[1];

/** One by one: readable payloads are not lost together with an unreadable one. */
function each(codec: PayloadCodec, payloads: Payload[], context: Context): Promise<Payload[]> {
  return Promise.all(
    payloads.map(async (payload) => {
      if (isUnreadablePayload(payload)) return payload;
      try {
        return counted(await codec.decode([payload], context), 1)[0] as Payload;
      } catch (error) {
        if (mayPass(error)) throw error;
        return marked(payload, error);
      }
    }),
  );
}

function counted(decoded: Payload[], expected: number): Payload[] {
  const isList = Array.isArray(decoded) && decoded.length === expected && decoded.every(Boolean);
  if (!isList) throw new Error(`it did not return ${expected} payloads`);
  return decoded;
}

function marked({ metadata }: Payload, error: unknown): Payload {
  return unreadablePayload(metadata?.[METADATA_ENCODING_KEY] ?? '', messageOf(error));
}

/** Codes of Node, and of its fetch, for servers that cannot be reached at the moment. */
const NETWORK = /^(ECONN\w+|E(NET|HOST)\w+|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EPIPE|UND_ERR_\w+)$/;

function mayPass(error: unknown): boolean {
  if (error instanceof ApplicationFailure) return !error.nonRetryable;
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && typeof one.code === 'string' && NETWORK.test(one.code)) return true;
  }
  return false;
}
