import type { Client } from '@temporalio/client';
import { arrayFromPayloads, type Payload } from '@temporalio/common';

/** The values of payloads from a history, through the client's codecs, of which the last one decodes first. */
export async function readPayloads<Value = unknown>(
  { options: { loadedDataConverter } }: Pick<Client, 'options'>,
  payloads: Payload[] | null | undefined,
): Promise<Value[]> {
  const { payloadConverter, payloadCodecs } = loadedDataConverter;
  let readable = payloads ?? [];
  for (const codec of [...payloadCodecs].reverse()) readable = await codec.decode(readable);
  return arrayFromPayloads(payloadConverter, readable) as Value[];
}
