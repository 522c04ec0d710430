import { type ConnectionLike, isGrpcServiceError } from '@temporalio/client';
import { HoldfastError } from '../agent/errors/error';
import { SEARCH_ATTRIBUTES } from '../agent/protocol/search-attributes';
import { isNotFound } from '../runtime/temporal/not-found';

/** Temporal's names of types, by the numbers in its API. */
const TYPES = ['Unspecified', 'Text', 'Keyword', 'Int', 'Double', 'Bool', 'Datetime', 'KeywordList'] as const;
const KEYWORD = TYPES.indexOf('Keyword');

/** The dev server lists a new attribute 2 to 17 ms after it was added; clusters cache the list for longer. */
const VISIBLE_WITHIN = 30_000;

/** PERMISSION_DENIED for keys with limited rights, UNIMPLEMENTED on the time-skipping test server. */
const CANNOT_TELL = new Set([7, 12]);

type Operator = Pick<ConnectionLike, 'operatorService'>;

/**
 * Registers the search attributes that are missing, and waits until they are listed.
 * @throws HoldfastError `SearchAttributeConflict`: Temporal would silently keep an existing one of another type
 */
export async function registerSearchAttributes(connection: Operator, namespace: string): Promise<void> {
  const missing = await missingAttributes(connection, namespace);
  if (missing.length === 0) return;
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  const deadline = Date.now() + VISIBLE_WITHIN;
  while (Date.now() < deadline && (await missingAttributes(connection, namespace)).length > 0) {
    await new Promise((done) => setTimeout(done, 10));
  }
}

/** Whether a run may write them: an unregistered one makes its workflow task fail forever. */
export async function hasSearchAttributes(connection: Operator, namespace: string): Promise<boolean> {
  try {
    const types = await listTypes(connection, namespace);
    return SEARCH_ATTRIBUTES.every((name) => types[name] === KEYWORD);
  } catch (error) {
    if (isGrpcServiceError(error) && CANNOT_TELL.has(error.code)) return false;
    if (isNotFound(error)) throw new HoldfastError('NamespaceNotFound', { namespace });
    throw error;
  }
}

async function missingAttributes(connection: Operator, namespace: string): Promise<string[]> {
  const types = await listTypes(connection, namespace);
  for (const name of SEARCH_ATTRIBUTES) {
    const type = types[name];
    if (type === undefined || type === KEYWORD) continue;
    const has = TYPES[type] ?? String(type);
    throw new HoldfastError('SearchAttributeConflict', { name, namespace, has, needs: 'Keyword' });
  }
  return SEARCH_ATTRIBUTES.filter((name) => types[name] === undefined);
}

async function listTypes({ operatorService }: Operator, namespace: string): Promise<Record<string, number>> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  return customAttributes ?? {};
}
