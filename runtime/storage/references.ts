import type { Payload } from '@temporalio/common';
import { changeOnce } from './change-once';

/** What a history has in place of a payload that is in a storage. */
export interface Reference {
  driverName: string;
  claimData: Record<string, string>;
}

/** The part of Temporal's SDK that finds and reads references. */
interface Sdk {
  isReferencePayload(payload: Payload): boolean;
  /** @throws for a reference that names no driver, and for any other JSON */
  decodeReferencePayload(payload: Payload): Reference;
}

const MODULE = '@temporalio/common/lib/internal-non-workflow/extstore-helpers';
const sdk = loadSdk();

/** Whether this version of the SDK has what {@link referenceIn} needs. */
export const knowsReferences = sdk !== undefined;

/**
 * The reference that a payload is; `undefined` for any other payload, and for one that only claims to be a reference.
 */
export function referenceIn(payload: Payload): Reference | undefined {
  if (sdk === undefined || !sdk.isReferencePayload(payload)) return undefined;
  try {
    return sdk.decodeReferencePayload(payload);
  } catch {
    return undefined;
  }
}

/**
 * The SDK throws on a payload that claims to be a reference and is malformed, with a storage or without one: a workflow
 * task with such a signal would fail, and be repeated, without end. Anyone may send one. The SDK has no place to catch
 * it, and looks at the payload before any codec or converter does. So its test is made stricter: a malformed reference
 * is an ordinary payload, whose encoding nothing reads, and the workflow refuses it by name.
 */
export function guardReferences(found: Partial<Sdk>): found is Sdk {
  const { isReferencePayload, decodeReferencePayload } = found;
  if (typeof isReferencePayload !== 'function' || typeof decodeReferencePayload !== 'function') return false;
  changeOnce(found, () => {
    found.isReferencePayload = (payload) => {
      if (!isReferencePayload(payload)) return false;
      try {
        decodeReferencePayload(payload);
        return true;
      } catch {
        return false;
      }
    };
  });
  return true;
}

/** Fails safe: agents run without the guard too, but are open to such payloads. */
function loadSdk(): Sdk | undefined {
  try {
    const found: Partial<Sdk> = require(MODULE);
    if (guardReferences(found)) return found;
  } catch {
    // Told below: this version of the SDK does not have the module.
  }
  process.emitWarning(
    `This version of @temporalio/common has no \`${MODULE}\`: a malformed storage reference in a signal would block a run. Use a version that Holdfast names as its peer.`,
    { code: 'HOLDFAST_REFERENCES' },
  );
  return undefined;
}
