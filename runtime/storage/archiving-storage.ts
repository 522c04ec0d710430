import type { Client } from '@temporalio/client';
import type { ExternalStorage } from '@temporalio/common';
import type { Archive } from './archive';
import { PayloadStorage } from './payload-storage';
import type { User } from './refusal';

/** A storage that also has an archive. */
export class ArchivingStorage extends PayloadStorage {
  constructor(
    user: User,
    /** What it keeps of histories that have ended. */
    readonly archive: Archive,
    options: ConstructorParameters<typeof ExternalStorage>[0],
  ) {
    super(user, options);
  }
}

/** The archive in the storage of a client; `undefined` if it has none. */
export function archiveOf({ options }: Pick<Client, 'options'>): Archive | undefined {
  const { externalStorage } = options.loadedDataConverter;
  return externalStorage instanceof ArchivingStorage ? externalStorage.archive : undefined;
}
