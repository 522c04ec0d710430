import { z } from 'zod';
import { fail, isRecord } from '../../agent/define/checks/fail';
import { isHeaderValue, UNSENDABLE } from '../../agent/define/checks/headers';
import type { ModelOptions } from '../../agent/model/config';
import { unsentSettings } from '../../agent/model/unsent-settings';
import { defined } from '../../agent/values/defined';
import {
  duration,
  durationInCode,
  expectedSection,
  headers,
  named,
  number,
  parsedAs,
  section,
  text,
  url,
  whole,
} from './fields';
import { modelSettings } from './model-settings';

/** Money for a million tokens. A call with millions of them must remain below the largest amount. */
const price = number(0, 'a price from 0 to 1000000', 1_000_000);

/** Settings that every model can have, wherever it is defined. */
const options = {
  contextWindow: whole(1).exactOptional(),
  modelClass: z.literal('small', { error: 'Expected `small`, or nothing' }).exactOptional(),
  ...modelSettings,
  structuredOutput: z
    .enum(['schema', 'json_object', 'prompt'], { error: 'Expected `schema`, `json_object` or `prompt`' })
    .exactOptional(),
  prices: section({
    prompt: price,
    completion: price,
    cached: price.exactOptional(),
    cacheWritten: price.exactOptional(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'Expected an ISO 4217 code, such as `EUR`')
      .exactOptional(),
  }).exactOptional(),
  idleTimeout: duration.exactOptional(),
  answerTimeout: duration.exactOptional(),
  patience: duration.exactOptional(),
  limits: section({
    requestsPerMinute: whole(1).exactOptional(),
    tokensPerMinute: whole(1).exactOptional(),
    concurrent: whole(1).exactOptional(),
    name: text.regex(/^[\w.-]{1,100}$/, 'Expected letters, digits, `.`, `_` and `-`').exactOptional(),
  }).exactOptional(),
};

/** The names of these settings. */
export const MODEL_SETTINGS: readonly string[] = Object.keys(options);

const codedOptions = section({
  ...options,
  idleTimeout: durationInCode.exactOptional(),
  answerTimeout: durationInCode.exactOptional(),
  patience: durationInCode.exactOptional(),
});

/**
 * Checks the settings of a model that is defined in code, and fills in what temporal.yaml fills in, such as durations.
 * @throws HoldfastError `InvalidDefinition`
 */
export function checkModelSettings({ prices, ...given }: ModelOptions, place: string): ModelOptions {
  const own = typeof prices === 'function' ? { prices } : undefined;
  const checked = codedOptions.safeParse({ ...given, ...(own === undefined ? defined({ prices }) : {}) });
  if (checked.success) return { ...checked.data, ...own };
  const [{ path, message } = { path: [], message: 'Expected settings of a model' }] = checked.error.issues;
  return fail([place, ...path].join('.'), message);
}

const SERVER = '`{ baseUrl: https://api.openai.com/v1, model: … }`';
const MODULE = '`{ module: ./models.ts, export: … }`';
const EITHER = `write ${SERVER} for a server, or ${MODULE} for a model of the AI SDK`;

/** A model behind a server. */
export const serverModel = section(
  {
    baseUrl: url,
    model: text,
    api: z.enum(['chat', 'responses'], { error: 'Expected `chat` or `responses`' }).exactOptional(),
    apiKey: text.refine(isHeaderValue, { error: UNSENDABLE }).exactOptional(),
    headers: headers.exactOptional(),
    maxAnswerBytes: whole(1).exactOptional(),
    ...options,
  },
  { provider: EITHER },
).check(({ value: { api, ...settings }, issues }) => {
  for (const { setting, problem } of unsentSettings(settings, api)) {
    issues.push({ code: 'custom', input: settings[setting], path: [setting], message: problem });
  }
});

/** A model that a module exports, with settings that replace its own. */
export const moduleModel = section(
  { module: text, export: text.exactOptional(), ...options },
  {
    provider: 'the module chooses it',
    baseUrl: 'a model has a `baseUrl` or a `module`, not both',
    model: 'the module chooses it',
  },
);

/** A model as temporal.yaml may define it. */
export const model = z
  .unknown()
  .transform((value, context): z.output<typeof serverModel> | z.output<typeof moduleModel> => {
    if (isRecord(value)) return parsedAs('module' in value ? moduleModel : serverModel, value, context);
    const message = `${expectedSection({ input: value }, 'a model')}; ${EITHER}`;
    context.issues.push({ code: 'custom', input: value, message });
    return z.NEVER;
  });

/** The models of temporal.yaml, by alias. */
export const models = named(model, `models by their aliases, such as \`default: ${SERVER.slice(1)}`);
