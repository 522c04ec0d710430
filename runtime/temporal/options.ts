import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { HoldfastError } from '../../agent/errors/error';

/** Temporal's own options that are passed through. */
export interface TemporalOptions {
  /** How payloads are encoded. The payload converter is the bundle's own. */
  dataConverter?: {
    /**
     * Encode and decode every payload, for example to encrypt it, in the order in which Temporal applies them. Clients
     * and workers need the same ones. An error that a codec throws on decoding is reported as `UnreadablePayload`; to
     * have the decoding retried, for example while a key server is down, throw an `ApplicationFailure` that is
     * retryable.
     */
    payloadCodecs?: readonly PayloadCodec[];
  };
}

/** Options that cannot be passed through, and why: they would be ignored silently. */
const REFUSED: { readonly [place: string]: string } = {
  'dataConverter.payloadConverterPath':
    'the workflow bundle is prebuilt with its own payload converter; use `payloadCodecs`',
  'dataConverter.failureConverterPath':
    'the workflow bundle is prebuilt with its own failure converter; use `payloadCodecs`',
  'interceptors.workflow': 'the workflow bundle is prebuilt and contains no code of yours',
  'interceptors.workflowModules': 'the workflow bundle is prebuilt and contains no code of yours',
};

/**
 * The data converter for the options.
 * @throws HoldfastError `InvalidDefinition` for unsupported options, by name
 */
export function dataConverterOf(options: TemporalOptions = {}): Pick<DataConverter, 'payloadCodecs'> {
  for (const [section, given] of Object.entries(options)) {
    const fields = typeof given === 'object' && given !== null ? Object.keys(given) : [];
    for (const field of fields) take(`${section}.${field}`);
    if (section !== 'dataConverter') take(section);
  }
  const { payloadCodecs = [] } = options.dataConverter ?? {};
  const areCodecs =
    Array.isArray(payloadCodecs) &&
    payloadCodecs.every(({ encode, decode }) => typeof encode === 'function' && typeof decode === 'function');
  if (!areCodecs) refuse('dataConverter.payloadCodecs', 'Expected a list of objects with `encode` and `decode`');
  return { payloadCodecs: [...payloadCodecs] };
}

function take(place: string): void {
  if (place === 'dataConverter.payloadCodecs') return;
  const why = REFUSED[place];
  if (why === undefined) refuse(place, 'Unknown option; use `dataConverter.payloadCodecs`');
  refuse(place, `It cannot be set: ${why}`);
}

function refuse(place: string, problem: string): never {
  throw new HoldfastError('InvalidDefinition', { place: `temporal.${place}`, problem });
}
