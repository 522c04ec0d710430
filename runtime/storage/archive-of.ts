import type { Client } from '@temporalio/client';
import type { Archive } from './archive';
import { PayloadStorage } from './payload-storage';

/** The archive in the storage of a client; `undefined` if it has no storage. */
export function archiveOf({ options }: Pick<Client, 'options'>): Archive | undefined {
  const { externalStorage } = options.loadedDataConverter;
  return externalStorage instanceof PayloadStorage ? externalStorage.archive : undefined;
}
