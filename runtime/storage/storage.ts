import type { ExternalStorage } from '@temporalio/common';
import type { Log } from '../../agent/define/context';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import { within } from '../abort/within';
import type { StorageConfig } from '../config/storage';
import { fileProblem, isFileError } from '../files/file-problem';
import { sha256 } from '../sha256';
import { Archive } from './archive';
import { ArchivingStorage } from './archiving-storage';
import { FolderStore } from './folder-store';
import type { FolderedStore } from './object-store';
import { PayloadDriver } from './payload-driver';
import { PayloadStorage } from './payload-storage';
import type { User } from './refusal';
import { S3Store } from './s3-store';

/** Milliseconds that the check at the start may take. */
const CHECK = 10_000;
/** Where the archive is in a storage. */
const ARCHIVE_PART = 'archive';

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
  const options = {
    drivers: [new PayloadDriver(storeOf(config), { user, ...defined({ log }) })],
    ...defined({ payloadSizeThreshold: config.threshold }),
  };
  return config.archive
    ? new ArchivingStorage(user, new Archive(archiveStoreOf(config)), options)
    : new PayloadStorage(user, options);
}

/**
 * Writes an object and reads it again, also in the archive if there is one.
 * @throws HoldfastError `StorageUnavailable`
 */
export async function checkStorage(config: StorageConfig): Promise<void> {
  await checkStore(storeOf(config));
  if (config.archive === true) await checkStore(archiveStoreOf(config));
}

async function checkStore(store: FolderedStore): Promise<void> {
  // One object a day.
  const bytes = Buffer.from(`The check of ${new Date().toISOString().slice(0, 10)}`);
  try {
    await within(CHECK, undefined, (signal) => roundTrip(store, bytes, signal));
  } catch (error) {
    const problem = isFileError(error) ? `${error.path}: ${fileProblem(error, 'used')}` : messageOf(error);
    throw new HoldfastError('StorageUnavailable', { where: store.where, problem }, { cause: error });
  }
}

async function roundTrip(store: FolderedStore, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  await store.open();
  const key = sha256(bytes);
  await store.put(key, bytes, signal);
  const read = await store.get(key, signal);
  if (read === undefined || !Buffer.from(read).equals(bytes)) throw new Error('what was written is not what is read');
}

function storeOf(config: StorageConfig): FolderedStore {
  return 'folder' in config ? new FolderStore(config.folder) : new S3Store(config);
}

/** In front of the prefix of a bucket: rules that delete payloads by their prefix must not find it. */
function archiveStoreOf(config: StorageConfig): FolderedStore {
  if ('folder' in config) return new FolderStore(config.folder, ARCHIVE_PART);
  return new S3Store({ ...config, prefix: `${ARCHIVE_PART}/${config.prefix ?? ''}` });
}
