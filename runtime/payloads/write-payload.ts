import type { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';

/** A value as a payload, through the client's converter and codecs, as they are applied to those of a history. */
export async function writePayload(
  { options: { loadedDataConverter } }: Pick<Client, 'options'>,
  value: unknown,
): Promise<Payload> {
  const { payloadConverter, payloadCodecs } = loadedDataConverter;
  let written = [payloadConverter.toPayload(value)];
  for (const codec of payloadCodecs) written = await codec.encode(written);
  return written[0] ?? {};
}
