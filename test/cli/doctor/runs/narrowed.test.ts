import type { Schema } from 'holdfast';
import { z } from 'zod';
import { toJsonSchema } from '../../../../agent/contracts/schema';
import { narrowed } from '../../../../cli/doctor/runs/narrowed';

const why = (before: Schema, now: Schema) => narrowed(toJsonSchema(before), toJsonSchema(now));
const order = z.object({ id: z.string(), count: z.number().optional() });

it.each<[string, Schema]>([
  ['the same', order],
  ['a new optional field', order.extend({ note: z.string().optional() })],
  ['a field that became optional', order.extend({ id: z.string().optional() })],
  ['a field with a default', order.extend({ note: z.string().default('') })],
  ['a wider type', order.extend({ id: z.union([z.string(), z.number()]) })],
  ['a field that it ignores', z.object({ id: z.string() })],
])('takes as much with %s', (_, now) => {
  expect(why(order, now)).toBeUndefined();
});

it.each<[string, Schema, Schema]>([
  ['`note` is required', order, order.extend({ note: z.string() })],
  ['`count` is required', order, order.extend({ count: z.number() })],
  ['`id` is no longer of type string', order, order.extend({ id: z.number() })],
  ['`count` is no longer of type number', order, order.extend({ count: z.int().optional() })],
  ['`count` is gone', z.strictObject(order.shape), z.strictObject({ id: z.string() })],
  ['`kind` no longer takes "b"', z.object({ kind: z.enum(['a', 'b']) }), z.object({ kind: z.enum(['a', 'c']) })],
  ['`kind` takes only some values', z.object({ kind: z.string() }), z.object({ kind: z.enum(['a']) })],
  ['`count` has the bound maximum 5', z.object({ count: z.number() }), z.object({ count: z.number().max(5) })],
  ['`items[].id` is required', z.object({ items: z.array(z.object({})) }), z.object({ items: z.array(order) })],
  ['it is no longer of type string', z.string(), z.number()],
])('takes less if %s', (reason, before, now) => {
  expect(why(before, now)).toBe(reason);
});
