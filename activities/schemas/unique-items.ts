import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';
import { canonicalJson } from '../../agent/values/json';

/** With ajv's error message. */
const validate: SchemaValidateFunction = (isUnique: boolean, items: readonly unknown[]) => {
  if (!isUnique) return true;
  const places = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    const text = canonicalJson(item);
    const j = places.get(text);
    if (j !== undefined) {
      const message = `must NOT have duplicate items (items ## ${j} and ${i} are identical)`;
      validate.errors = [{ keyword: 'uniqueItems', message, params: { i, j } }];
      return false;
    }
    places.set(text, i);
  }
  return true;
};

/** `uniqueItems` in linear time: ajv's own compares each item with all others. */
export const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: true,
  validate,
};
