import type { Client } from '@temporalio/client';
import { arrayFromPayloads, type ExternalStorage, type Payload, StorageDriverClaim } from '@temporalio/common';
import { HoldfastError } from '../../agent/errors/error';
import { noStorage } from '../storage/payload-storage';
import { referenceIn } from '../storage/references';
import { problemOfUnreadable } from './unreadable-payload';

/**
 * The values of payloads from a history, through the client's storage and codecs, of which the last one decodes first.
 * @throws HoldfastError `StorageUnavailable` for what its storage does not have
 */
export async function readPayloads<Value = unknown>(
  { options: { loadedDataConverter } }: Pick<Client, 'options'>,
  payloads: Payload[] | null | undefined,
): Promise<Value[]> {
  const { payloadConverter, payloadCodecs, externalStorage = noStorage('client') } = loadedDataConverter;
  let readable = await Promise.all((payloads ?? []).map((payload) => fromStorage(payload, externalStorage)));
  for (const codec of [...payloadCodecs].reverse()) readable = await codec.decode(readable);
  return arrayFromPayloads(payloadConverter, readable) as Value[];
}

/** A history has references to payloads that are in a storage. */
async function fromStorage(payload: Payload, storage: ExternalStorage): Promise<Payload> {
  const reference = referenceIn(payload);
  const driver = reference && storage.getDriver(reference.driverName);
  if (!driver) return payload;
  const [stored = payload] = await driver.retrieve({}, [new StorageDriverClaim(reference.claimData)]);
  const problem = problemOfUnreadable(stored);
  if (problem !== undefined) throw new HoldfastError('StorageUnavailable', { problem });
  return stored;
}
