import type { ExternalStorage, Payload } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { changeOnce } from './change-once';
import { knowsReferences, referenceIn } from './references';

/** The part of Temporal's SDK that stores and reads payloads. */
interface Runner {
  readonly externalStorage: ExternalStorage;
  store(payloads: Payload[], options?: object): Promise<Payload[]>;
  retrieve(payloads: Payload[], options?: object): Promise<Payload[]>;
}

const MODULE = '@temporalio/common/lib/internal-non-workflow/external-storage-runner';

/** More than the tags and lengths of one field take. */
const FIELD_BYTES = 24;

/**
 * The SDK makes abort signals and encodes every payload before it knows whether there is anything to store or to read:
 * eight times in a turn of an agent. Nearly all payloads are small and no references, and go through at once.
 */
export function quicken(runner: Runner): void {
  changeOnce(runner, () => {
    const { store, retrieve } = runner;
    runner.store = function (payloads, options) {
      const least = this.externalStorage.payloadSizeThreshold;
      if (payloads.every((payload) => sizeAtMost(payload) < least)) return Promise.resolve(payloads);
      return store.call(this, payloads, options);
    };
    runner.retrieve = function (payloads, options) {
      if (payloads.every((payload) => referenceIn(payload) === undefined)) return Promise.resolve(payloads);
      return retrieve.call(this, payloads, options);
    };
  });
}

/** At least as many bytes as an encoded payload has. */
function sizeAtMost({ data, metadata, externalPayloads }: temporal.api.common.v1.IPayload): number {
  if ((externalPayloads?.length ?? 0) > 0) return Infinity;
  let size = FIELD_BYTES + (data?.length ?? 0);
  for (const [key, value] of Object.entries(metadata ?? {})) size += FIELD_BYTES + 3 * key.length + value.length;
  return size;
}

/** An SDK without this part of it is only slower. */
function install(): void {
  try {
    const { ExternalStorageRunner } = require(MODULE);
    quicken(ExternalStorageRunner.prototype);
  } catch {
    // Another version of the SDK.
  }
}

if (knowsReferences) install();
