import { z } from 'zod';
import { isPlainJsonObject } from '../../agent/values/is-json';
import { expected, fullHeaders, integer, named, number, section, text, texts, whole, yesNo } from './fields';

const TOP_P = 'a number over 0, at most 1';
const JSON_OBJECT = 'names and JSON values';

const json = z
  .unknown()
  .refine(isPlainJsonObject, { error: (issue) => expected(issue, JSON_OBJECT) })
  .transform((value) => (isPlainJsonObject(value) ? value : {}));

/** Spaces and line breaks end an answer as well as words. */
const ending = z.string({ error: (issue) => expected(issue, 'a string') }).min(1, 'Expected a non-empty string');

const CHOICES = ['auto', 'none', 'required'] as const;
const choice = z.enum(CHOICES, { error: "Expected `auto`, `none`, `required` or `{ tool: '…' }`" });
const tool = section({ tool: text });

/** How a model answers, as fields of its section in temporal.yaml. */
export const modelSettings = {
  temperature: number(0, 'a number of at least 0').exactOptional(),
  topP: number(0, TOP_P)
    .refine((value) => value > 0 && value <= 1, { error: `Expected ${TOP_P}` })
    .exactOptional(),
  maxTokens: whole(1).exactOptional(),
  stop: texts(ending, 'strings').min(1, 'Expected at least one string').exactOptional(),
  seed: integer.exactOptional(),
  reasoningEffort: text.exactOptional(),
  parallelToolCalls: yesNo.exactOptional(),
  toolChoice: z
    .unknown()
    .transform((value, context): z.output<typeof choice> | z.output<typeof tool> => {
      const isSection = typeof value === 'object' && value !== null;
      const fits = isSection ? tool.safeParse(value) : choice.safeParse(value);
      if (fits.success) return fits.data;
      for (const issue of fits.error.issues)
        context.issues.push({ ...issue, path: [...issue.path], input: undefined } as (typeof context.issues)[number]);
      return z.NEVER;
    })
    .exactOptional(),
  serviceTier: text.exactOptional(),
  extraBody: json.exactOptional(),
  extraHeaders: fullHeaders.exactOptional(),
  providerOptions: named(json).exactOptional(),
};
