import type { DataConverter, ExternalStorage, PayloadCodec } from '@temporalio/common';
import type { Log } from '../agent/define/context';
import type { StorageConfig } from '../runtime/config/storage';
import { guardCodecs } from '../runtime/payloads/codec-guard';
// Temporal's SDK requires it by its path. From TypeScript sources that would fail, but it finds what is loaded here.
import '../runtime/payloads/failure-converter';
import { noStorage } from '../runtime/storage/payload-storage';
import { storageFor } from '../runtime/storage/storage';

/** How a worker encodes and decodes in Node; the workflow bundle has the same failure converter. */
export function workerConverter(
  payloadCodecs: readonly PayloadCodec[],
  storage: StorageConfig | undefined,
  log?: Log,
): Pick<DataConverter, 'payloadCodecs' | 'failureConverterPath'> & { externalStorage: ExternalStorage } {
  return {
    payloadCodecs: guardCodecs(payloadCodecs),
    failureConverterPath: require.resolve('../runtime/payloads/failure-converter'),
    externalStorage: storage === undefined ? noStorage('worker') : storageFor('worker', storage, log),
  };
}
