import { z } from '@hono/zod-openapi';
import type { ContentPart } from '../../../agent/model/message';
import { unknownKey } from '../../../runtime/config/fields';

// Texts and values are checked again by the run, with the reason. The bounds here keep nonsense from going that far.

export const text = z.string().min(1).max(200_000);
export const line = z.string().min(1).max(2000);
export const json = z.unknown().openapi({ description: 'Any JSON' });
export const object = z.record(z.string(), z.unknown()).openapi({ type: 'object' });
export const count = z.coerce.number().int().min(1);
export const ok = z.object({}).openapi({ description: 'Done' });

/** An object that has no other fields; what is said of one names those that there are. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownKey(String(issue.keys[0]), Object.keys(shape)) : undefined,
  });
}

/** One of several objects. */
export function oneOf<One extends z.ZodRawShape, Other extends z.ZodRawShape>(one: One, other: Other) {
  const forms = [one, other].map((shape) => `\`{${Object.keys(shape).join(', ')}}\``);
  return z.union([fields(one), fields(other)], { error: `Expected ${forms.join(' or ')}` });
}

const media = fields({
  type: z.literal('media'),
  mediaType: z.string().min(3).max(200),
  data: z.string().optional(),
  url: z.string().max(4000).optional(),
  name: z.string().max(500).optional(),
});
const textPart = fields({ type: z.literal('text'), text: z.string() });
const parts = z
  .array(z.discriminatedUnion('type', [textPart, media]))
  .min(1)
  .max(100);

/** A message: a text, or parts. */
export const message = fields({
  text: text.optional(),
  parts: parts.optional(),
  id: z
    .string()
    .min(1)
    .max(200)
    // Temporal's API cannot carry others.
    .refine((id) => !/[\p{Cc}\p{Cs}]/u.test(id), 'It has characters that no text has')
    .optional()
    .openapi({ description: 'A message with the same id is taken once.' }),
});

export function contentOf({
  text: said,
  parts: given,
}: {
  text?: string | undefined;
  parts?: unknown;
}): string | ContentPart[] {
  return said ?? (given as ContentPart[] | undefined) ?? '';
}

export const receipt = z
  .object({ exchange: z.number().int(), ahead: z.number().int(), after: z.number().int() })
  .openapi('MessageReceipt');

export const remember = z.enum(['once', 'run', 'agent']).optional();

const time = z.union([z.number(), z.string()]).optional();
export const amounts = {
  tokens: z.number().int().optional(),
  cost: fields({ amount: z.number(), currency: z.string() }).optional(),
  toolCalls: z.number().int().optional(),
  modelCalls: z.number().int().optional(),
  time,
  deadline: time,
};

export const session = z
  .looseObject({
    id: z.string(),
    agent: z.string(),
    owner: z.string().optional(),
    title: z.string().optional(),
    status: z.string(),
    waits: z.string().optional(),
    agentWaits: z.string().optional(),
    parent: z.string().optional(),
    startedAt: z.number(),
    closedAt: z.number().optional(),
  })
  .openapi('Session');

export const state = z
  .looseObject({
    id: z.string(),
    agent: z.string(),
    mode: z.enum(['task', 'conversation']),
    status: z.string(),
    idle: z.boolean(),
    turn: z.number().int(),
    exchange: z.number().int(),
    facts: z.number().int(),
  })
  .openapi('RunState');

export const waiting = z
  .object({
    approvals: z.array(object),
    questions: z.array(object),
    services: z.array(object).optional(),
    models: z.array(object).optional(),
  })
  .openapi('Waiting');

export const waitingOfAll = waiting
  .omit({ services: true })
  .extend({
    unanswered: z
      .number()
      .openapi({ description: 'Runs that wait as well, but did not answer in time. Is their worker running?' }),
  })
  .openapi('WaitingOfAll');
