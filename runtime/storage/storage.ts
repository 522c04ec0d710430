import type { ExternalStorage } from '@temporalio/common';
import type { Log } from '../../agent/define/context';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import type { StorageConfig } from '../config/storage';
import { sha256 } from '../sha256';
import { FolderStore } from './folder-store';
import type { ObjectStore } from './object-store';
import { PayloadDriver } from './payload-driver';
import { PayloadStorage } from './payload-storage';
import type { User } from './refusal';
import { S3Store } from './s3-store';
import { within } from './within';

/** Milliseconds that the check at the start may take. */
const CHECK = 10_000;

/**
 * The storage of large payloads, for the `dataConverter.externalStorage` of your own Temporal client:
 * `openStorage({ folder: '/data/payloads' })`. Clients and workers of the same runs need the same one.
 * @throws HoldfastError `StorageUnavailable` if the package for S3 is not installed
 */
export function openStorage(config: StorageConfig): ExternalStorage {
  return storageFor('client', config);
}

/** The same for any process. `log` is told of outages. */
export function storageFor(user: User, config: StorageConfig, log?: Log): ExternalStorage {
  return new PayloadStorage(user, {
    drivers: [new PayloadDriver(storeOf(config), { user, ...defined({ log }) })],
    ...defined({ payloadSizeThreshold: config.threshold }),
  });
}

/**
 * Writes an object and reads it again.
 * @throws HoldfastError `StorageUnavailable`
 */
export async function checkStorage(config: StorageConfig): Promise<void> {
  const store = storeOf(config);
  // One object a day.
  const bytes = Buffer.from(`The check of ${new Date().toISOString().slice(0, 10)}`);
  try {
    await within(CHECK, undefined, (signal) => roundTrip(store, bytes, signal));
  } catch (error) {
    throw new HoldfastError('StorageUnavailable', { where: store.where, problem: messageOf(error) }, { cause: error });
  }
}

async function roundTrip(store: ObjectStore, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  await store.open();
  const key = sha256(bytes);
  await store.put(key, bytes, signal);
  const read = await store.get(key, signal);
  if (read === undefined || !Buffer.from(read).equals(bytes)) throw new Error('what was written is not what is read');
}

function storeOf(config: StorageConfig): ObjectStore {
  return 'folder' in config ? new FolderStore(config.folder) : new S3Store(config);
}
