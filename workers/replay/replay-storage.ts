import { ExternalStorage, type StorageDriver } from '@temporalio/common';
import { problemOfUnreadable } from '../../runtime/payloads/unreadable-payload';

/**
 * The storage of a replay: it answers like that of a worker, and keeps what it could not read. A run that read it would
 * seem to decide differently now.
 */
export class ReplayStorage extends ExternalStorage {
  readonly #storage: ExternalStorage;
  /** Why the first payload that was asked for since the last {@link forget} could not be read. */
  problem: string | undefined;

  constructor(storage: ExternalStorage) {
    super({ drivers: storage.drivers, driverSelector: () => null });
    this.#storage = storage;
  }

  forget(): void {
    this.problem = undefined;
  }

  override getDriver(name: string): StorageDriver | null {
    const driver = this.#storage.getDriver(name);
    if (driver === null) return null;
    return {
      name,
      type: driver.type,
      store: (context, payloads) => driver.store(context, payloads),
      retrieve: async (context, claims) => {
        const payloads = await driver.retrieve(context, claims);
        for (const payload of payloads) this.problem ??= problemOfUnreadable(payload);
        return payloads;
      },
    };
  }
}
