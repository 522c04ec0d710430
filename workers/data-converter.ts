import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { guardCodecs } from '../runtime/payloads/codec-guard';
// Temporal's SDK requires it by its path. From TypeScript sources that would fail, but it finds what is loaded here.
import '../runtime/payloads/failure-converter';

/** How a worker encodes and decodes in Node; the workflow bundle has the same failure converter. */
export function workerConverter(
  payloadCodecs: readonly PayloadCodec[],
): Pick<DataConverter, 'payloadCodecs' | 'failureConverterPath'> {
  return {
    payloadCodecs: guardCodecs(payloadCodecs),
    failureConverterPath: require.resolve('../runtime/payloads/failure-converter'),
  };
}
