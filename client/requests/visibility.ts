import { Client, isGrpcServiceError, type WorkflowExecutionInfo } from '@temporalio/client';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { guardCodecs } from '../../runtime/payloads/codec-guard';
// Temporal's SDK requires it by path. It cannot load TypeScript sources, but finds the module that is loaded here.
import '../../runtime/payloads/payload-converter';
import { noStorage } from '../../runtime/storage/payload-storage';
import { orHoldfastError } from './client-error';

/** Maximum characters of an attribute that a run writes. */
const MAX_KEYWORD = 255;

/** INVALID_ARGUMENT: the query names an attribute that the namespace does not have. */
const INVALID = 3;
/** The time-skipping test server's answer to list requests. */
const UNIMPLEMENTED = 12;

/**
 * Workflows that fit a visibility query, as the server lists them: open ones first, then those that closed last.
 * @throws HoldfastError `RunsNotListed`, `NoServer`
 */
export async function* listWorkflows(
  client: Client,
  query: string,
): AsyncGenerator<WorkflowExecutionInfo, void, undefined> {
  try {
    yield* tolerant(client).workflow.list({ query });
  } catch (error) {
    throw notListed(error, client.options.namespace) ?? orHoldfastError(error, '');
  }
}

/** Anyone may start a workflow whose memo cannot be read. The client still lists the others. */
function tolerant({ connection, options }: Client): Client {
  const { namespace, identity, loadedDataConverter } = options;
  const dataConverter = {
    payloadConverterPath: require.resolve('../../runtime/payloads/payload-converter'),
    payloadCodecs: guardCodecs(loadedDataConverter.payloadCodecs),
    // A memo is too small for a storage: what refers to one was not written by a run.
    externalStorage: noStorage('worker'),
  };
  return new Client({ connection, namespace, identity, dataConverter });
}

function notListed(error: unknown, namespace: string): HoldfastError | undefined {
  const grpc = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (!isGrpcServiceError(grpc)) return undefined;
  const missing = /\bHoldfast\w+/.exec(grpc.details)?.[0];
  if (grpc.code === INVALID && missing !== undefined) {
    return new HoldfastError('RunsNotListed', { namespace, missing }, { cause: error });
  }
  if (grpc.code !== UNIMPLEMENTED) return undefined;
  return new HoldfastError('RunsNotListed', { namespace, problem: messageOf(grpc) }, { cause: error });
}

/**
 * The condition that a field is this text. Stores differ in how they write quotes and backslashes, so texts with these
 * get no condition.
 */
export function is(field: string, text: string | undefined): string[] {
  return text === undefined || /['\\]/.test(text) ? [] : [`${field} = '${text}'`];
}

/** The condition that a run belongs to an owner. The attribute may hold only the beginning of a long name. */
export function isOwnedBy(owner: string | undefined): string[] {
  return is('HoldfastOwner', owner?.slice(0, MAX_KEYWORD));
}

/** The condition that a run belongs to one of the owners whose names begin with this text. */
export function isOwnedByAny(prefix: string | undefined): string[] {
  return prefix === undefined || /['\\]/.test(prefix) ? [] : [`HoldfastOwner STARTS_WITH '${prefix}'`];
}
