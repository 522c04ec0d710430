import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { HoldfastError } from '../../agent/errors/error';
import { nearNames } from '../../agent/model/names/name-table';

/** Temporal's own options that workers and clients have in common. */
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

/** Options that one kind of process takes: passed to Temporal, or refused for a reason, by place. */
export interface Known {
  taken: readonly string[];
  refused: { readonly [place: string]: string };
}

const PREBUILT = 'the workflow bundle is prebuilt';
/** They would be ignored silently, or break what the bundle relies on. */
const REFUSED_EVERYWHERE = {
  'dataConverter.payloadConverterPath': `${PREBUILT} with its own payload converter; use \`payloadCodecs\``,
  'dataConverter.failureConverterPath': `${PREBUILT} with its own failure converter; use \`payloadCodecs\``,
  'interceptors.workflowModules': `${PREBUILT} and contains no code of yours`,
};

/**
 * Takes apart Temporal's own options: the codecs, and the rest, which is passed through.
 * @throws HoldfastError `InvalidDefinition` for unsupported options, by name
 */
export function temporalOptions<Given extends TemporalOptions>(
  given: Given | undefined,
  known: Known,
): { dataConverter: Pick<DataConverter, 'payloadCodecs'>; passed: Omit<Given, 'dataConverter'> } {
  const { dataConverter = {}, ...passed } = given ?? ({} as Given);
  // Sections are checked field by field: what Temporal itself would ignore must not be.
  for (const [name, value] of Object.entries({ dataConverter, ...passed })) {
    const isSection = name === 'dataConverter' || name === 'interceptors';
    const fields = isSection && typeof value === 'object' && value !== null ? Object.keys(value) : [];
    for (const place of isSection ? fields.map((field) => `${name}.${field}`) : [name]) take(place, known);
  }
  const { payloadCodecs = [] } = dataConverter;
  const areCodecs =
    Array.isArray(payloadCodecs) &&
    payloadCodecs.every(({ encode, decode }) => typeof encode === 'function' && typeof decode === 'function');
  if (!areCodecs) refuse('dataConverter.payloadCodecs', 'Expected a list of objects with `encode` and `decode`');
  return { dataConverter: { payloadCodecs: [...payloadCodecs] }, passed };
}

const CODECS = 'dataConverter.payloadCodecs';

function take(place: string, { taken, refused }: Known): void {
  if (place === CODECS || taken.includes(place)) return;
  const reasons: Known['refused'] = { ...REFUSED_EVERYWHERE, ...refused };
  const why = Object.hasOwn(reasons, place) ? reasons[place] : undefined;
  if (why !== undefined) refuse(place, `It cannot be set: ${why}`);
  const [near] = nearNames(place, [CODECS, ...taken]);
  const hint = near === undefined ? '' : `; did you mean \`${near}\`?`;
  refuse(place, `Holdfast does not pass this option on to Temporal${hint}`);
}

function refuse(place: string, problem: string): never {
  throw new HoldfastError('InvalidDefinition', { place: `temporal.${place}`, problem });
}
