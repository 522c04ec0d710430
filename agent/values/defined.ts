type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * Without the fields that are `undefined`: in JSON, and for `exactOptionalPropertyTypes`, absent ones are something
 * else.
 */
export function defined<T extends object>(fields: T): Defined<T> {
  const kept: Partial<T> = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as unknown as Defined<T>;
}
