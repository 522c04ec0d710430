import * as fc from 'fast-check';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { unfitPart } from '../../../agent/contracts/unfit-part';

const text = (schema: z.core.$ZodType) => {
  const found = unfitPart(schema as z.ZodType);
  return found && `${found.path || '(root)'} ${found.type}`;
};
const toDate = z.codec(z.iso.datetime(), z.date(), { decode: (s) => new Date(s), encode: (d) => d.toISOString() });
const Tree = z.object({
  name: z.string(),
  get kids() {
    return z.array(Tree);
  },
});
const DatedTree = z.object({
  get kids() {
    return z.array(DatedTree);
  },
  at: z.date(),
});

it.each<[string, z.core.$ZodType, string]>([
  ['a date', z.date(), '(root) z.date()'],
  ['a bigint', z.bigint(), '(root) z.bigint()'],
  ['a 64-bit integer', z.int64(), '(root) z.bigint()'],
  ['a set', z.set(z.string()), '(root) z.set()'],
  ['a map', z.map(z.string(), z.string()), '(root) z.map()'],
  ['a symbol', z.symbol(), '(root) z.symbol()'],
  ['a file', z.file(), '(root) z.file()'],
  ['what is not a number', z.nan(), '(root) z.nan()'],
  ['nothing', z.undefined(), '(root) z.undefined()'],
  ['no result', z.void(), '(root) z.void()'],
  ['what cannot be', z.object({ x: z.never() }), '.x z.never()'],
  ['a function', z.function() as unknown as z.ZodType, '(root) z.function()'],
  ['an instance', z.instanceof(Date), '(root) z.instanceof(Date)'],
  ['a literal bigint', z.literal([7n, undefined]), '(root) z.literal(7n)'],
  ['a literal without a value', z.object({ x: z.literal(undefined) }), '.x z.literal(undefined)'],
  ['a date of zod/mini', mini.object({ at: mini.date() }), '.at z.date()'],
  ['a field', z.object({ when: z.date() }), '.when z.date()'],
  ['an optional field', z.object({ when: z.date().optional() }), '.when z.date()'],
  ['a field that may be null', z.object({ when: z.date().nullable() }), '.when z.date()'],
  ['a field that may be null, as a union', z.object({ when: z.union([z.null(), z.date()]) }), '.when z.date()'],
  ['a field that may be null or missing', z.object({ when: z.date().nullish() }), '.when z.date()'],
  ['a field that is never written', z.object({ when: z.date().readonly() }), '.when z.date()'],
  ['what must be there', z.object({ when: z.date().optional().nonoptional() }), '.when z.date()'],
  ['an element', z.object({ days: z.array(z.date()) }), '.days[] z.date()'],
  ['a nested element', z.array(z.array(z.object({ n: z.bigint() }))), '[][].n z.bigint()'],
  ['an item of a tuple', z.tuple([z.string(), z.date()]), '[1] z.date()'],
  ['the rest of a tuple', z.tuple([z.string()], z.date()), '[] z.date()'],
  ['a value of a record', z.record(z.string(), z.date()), '.* z.date()'],
  ['a key of a record', z.record(z.symbol(), z.string()), '.* z.symbol()'],
  ['other fields', z.object({}).catchall(z.date()), '.* z.date()'],
  ['all branches', z.union([z.date(), z.bigint()]), '(root) z.date()'],
  ['both branches of one field', z.object({ x: z.union([z.undefined(), z.set(z.string())]) }), '.x z.set()'],
  [
    'one side of an intersection',
    z.intersection(z.object({ a: z.string() }), z.object({ b: z.date() })),
    '.b z.date()',
  ],
  ['what is transformed', z.object({ at: z.date().transform((at) => at.getTime()) }), '.at z.date()'],
  ['the read side of a codec', z.object({ at: z.invertCodec(toDate) }), '.at z.date()'],
  ['what is made late', z.object({ at: z.lazy(() => z.date()) }), '.at z.date()'],
  ['a tree of dates', DatedTree, '.at z.date()'],
  ['a promise', z.promise(z.date()), '(root) z.date()'],
  ['a date that claims to be a text', z.date().meta({ type: 'string', format: 'date-time' }), '(root) z.date()'],
])('finds %s', (_what, schema, expected) => {
  expect(text(schema)).toBe(expected);
});

it.each<[string, z.core.$ZodType]>([
  ['texts, numbers and literals', z.object({ s: z.iso.datetime(), n: z.int(), l: z.literal(['a', 7, null]) })],
  ['a literal of which one value fits', z.literal([7n, 'a'])],
  ['anything', z.object({ a: z.any(), u: z.unknown(), j: z.json() })],
  ['a date as one branch', z.union([z.string(), z.date()])],
  ['an object with a date as one branch', z.union([z.object({ at: z.date() }), z.object({ day: z.string() })])],
  ['one branch of exactly one', z.xor([z.string(), z.date()])],
  ['what is coerced', z.object({ at: z.coerce.date(), n: z.coerce.number(), b: z.coerce.bigint() })],
  ['what becomes a date', z.string().transform((at) => new Date(at))],
  ['what is piped into a date', z.string().pipe(z.coerce.date())],
  ['a codec', toDate],
  ['what is preprocessed', z.preprocess((at) => new Date(String(at)), z.date())],
  ['a date with a default', z.object({ at: z.date().default(() => new Date()) })],
  ['a date with a default before it', z.object({ at: z.date().prefault(() => new Date()) })],
  ['a date with a value for errors', z.object({ at: z.date().catch(new Date()) })],
  ['a field that must be missing', z.object({ a: z.never().optional(), b: z.undefined().optional() })],
  ['a field that is null or missing', z.object({ a: z.undefined().nullable(), b: z.union([z.null(), z.void()]) })],
  ['a strict object', z.strictObject({ a: z.string() })],
  ['lists and records without elements', z.object({ a: z.array(z.never()), r: z.record(z.string(), z.never()) })],
  ['a record without keys', z.record(z.never(), z.string())],
  ['a tree', Tree],
  ['a check of its own', z.custom((value) => typeof value === 'string')],
  ['an instance of what JSON has', z.union([z.instanceof(Object), z.instanceof(Array)])],
  ['a text of a template', z.templateLiteral(['a', z.number()])],
  ['a text for a boolean', z.stringbool()],
])('finds nothing in %s', (_what, schema) => {
  expect(text(schema)).toBeUndefined();
});

it('a part that is used in many places is read once', () => {
  const pairs = Array.from({ length: 60 }).reduce<z.ZodType>((part) => z.tuple([part, part]), z.string());
  expect(text(pairs)).toBeUndefined();
});

it('a schema of another library is left to that library', () => {
  const standard = { version: 1, vendor: 'odd', validate: (value: unknown) => ({ value }) } as const;
  expect(unfitPart({ '~standard': standard })).toBeUndefined();
});

/** A schema, and a value of JSON that fits it with all of its parts; `undefined`: none does. */
interface Sample {
  schema: z.ZodType;
  json?: { value: unknown } | undefined;
}

const LEAVES: Sample[] = [
  { schema: z.string(), json: { value: 'a' } },
  { schema: z.number(), json: { value: 7 } },
  { schema: z.null(), json: { value: null } },
  { schema: z.coerce.date(), json: { value: '2026-01-01' } },
  { schema: toDate, json: { value: '2026-01-01T00:00:00Z' } },
  ...[z.date(), z.bigint(), z.set(z.any()), z.map(z.any(), z.any()), z.nan(), z.symbol(), z.file()].map((schema) => ({
    schema,
  })),
];

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...LEAVES),
    fc.array(tie('sample'), { maxLength: 3 }).map(objectOf),
    tie('sample').map(({ schema, json }) => ({ schema: z.array(schema), json: json && { value: [json.value] } })),
    tie('sample').map(({ schema, json }) => ({
      schema: z.record(z.string(), schema),
      json: json && { value: { key: json.value } },
    })),
    tie('sample').map(({ schema, json }) => ({ schema: schema.optional(), json })),
    tie('sample').map(({ schema, json }) => ({ schema: z.lazy(() => schema), json })),
    tie('sample').map(({ schema, json }) => ({ schema: schema.transform((value) => [value]), json })),
    fc.tuple(tie('sample'), tie('sample')).map(([one, other]) => ({
      schema: z.union([one.schema, other.schema]),
      json: fillOf(one, other),
    })),
  ),
}));

/** `null` beside another branch does not fill it; of two branches that are `null` it is the value. */
function fillOf(...branches: Sample[]): Sample['json'] {
  const others = branches.filter(({ schema }) => schema.type !== 'null');
  return others.length === 0 ? { value: null } : others.find(({ json }) => json !== undefined)?.json;
}

function objectOf(parts: Sample[]): Sample {
  const values = parts.map(({ json }) => json?.value);
  return {
    schema: z.object(Object.fromEntries(parts.map(({ schema }, index) => [`f${index}`, schema]))),
    ...(parts.every(({ json }) => json !== undefined)
      ? { json: { value: Object.fromEntries(values.map((value, index) => [`f${index}`, value])) } }
      : {}),
  };
}

it('a schema is fine exactly if JSON can fill each of its parts', () => {
  fc.assert(
    fc.property(sample, ({ schema, json }) => {
      expect(unfitPart(schema) === undefined).toBe(json !== undefined);
      if (json !== undefined) expect(schema.safeParse(JSON.parse(JSON.stringify(json.value))).success).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

it('no JSON fits a type that is refused', () => {
  fc.assert(
    fc.property(fc.constantFrom(...LEAVES.filter(({ json }) => json === undefined)), fc.jsonValue(), (leaf, value) => {
      expect(leaf.schema.safeParse(value).success).toBe(false);
    }),
    { numRuns: 2000 },
  );
});
