import { z } from 'zod';
import { fail, isRecord } from '../../agent/define/checks/fail';
import { isHeaderValue, UNSENDABLE } from '../../agent/define/checks/headers';
import type { ModelOptions, Prices, ServerModel } from '../../agent/model/config';
import type { ModelSettings } from '../../agent/model/settings';
import { unsentSettings } from '../../agent/model/unsent-settings';
import { defined } from '../../agent/values/defined';
import {
  apiUrl,
  duration,
  durationInCode,
  expectedSection,
  headers,
  named,
  number,
  parsedAs,
  section,
  text,
  whole,
} from './fields';
import { modelSettings } from './model-settings';

/** Money for a million tokens. A call with millions of them must remain below the largest amount. */
const price = number(0, 'a price from 0 to 1000000', 1_000_000);

const priceListOf = (one: typeof price) =>
  section({
    prompt: one,
    completion: one,
    cached: one.exactOptional(),
    cacheWritten: one.exactOptional(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'Expected an ISO 4217 code, such as `EUR`')
      .exactOptional(),
  });
const priceList = priceListOf(price);
type PriceFunction = Extract<Prices, (...given: never[]) => unknown>;

/** Settings that every model can have, wherever it is defined. */
const options = {
  contextWindow: whole(1).exactOptional(),
  modelClass: z.literal('small', { error: 'Expected `small`, or nothing' }).exactOptional(),
  ...modelSettings,
  structuredOutput: z
    .enum(['schema', 'json_object', 'prompt'], { error: 'Expected `schema`, `json_object` or `prompt`' })
    .exactOptional(),
  prices: priceList.exactOptional(),
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

const pricesInCode = (list: typeof priceList) =>
  z
    .unknown()
    .transform(
      (value, context): Prices =>
        typeof value === 'function' ? syncFunction(value as PriceFunction, context) : parsedAs(list, value, context),
    )
    .exactOptional();

/** A call is priced where its answer is read, which waits for nothing. */
function syncFunction(given: PriceFunction, context: z.core.ParsePayload): PriceFunction {
  if (Object.prototype.toString.call(given) === '[object Function]') return given;
  const message = 'Expected a function that returns the price at once, without `async` and `*`';
  context.issues.push({ code: 'custom', input: given, message });
  return given;
}

/** Settings of a model that is defined in code. */
const codedOptions = {
  ...options,
  prices: pricesInCode(priceList),
  idleTimeout: durationInCode.exactOptional(),
  answerTimeout: durationInCode.exactOptional(),
  patience: durationInCode.exactOptional(),
};

const codedSettings = section(codedOptions);

/**
 * Checks the settings of a model that is defined in code, and fills in what temporal.yaml fills in, such as durations.
 * @throws HoldfastError `InvalidDefinition`
 */
export function checkModelSettings(given: ModelOptions, place: string): ModelOptions {
  const checked = codedSettings.safeParse(given);
  if (checked.success) return checked.data;
  const { path, message } = firstIssue(checked.error, 'Expected settings of a model');
  return fail([place, ...path].join('.'), message);
}

/** A misspelled name says more than that the right one is missing. */
function firstIssue({ issues }: z.ZodError, otherwise: string): { path: PropertyKey[]; message: string } {
  const misspelled = issues.find(({ code }) => code === 'unrecognized_keys');
  return misspelled ?? issues[0] ?? { path: [], message: otherwise };
}

const SERVER = '`{ baseUrl: https://api.openai.com/v1, model: … }`';
const MODULE = '`{ module: ./models.ts, export: … }`';
const EITHER = `write ${SERVER} for a server, or ${MODULE} for a model of the AI SDK`;

const key = text
  .refine(isHeaderValue, { error: UNSENDABLE })
  .refine((value) => !/^bearer\s/i.test(value), { error: 'Expected the key alone: `Bearer` is added to it' });

/** Programs have other means, and would send the name of the variable. */
const isFilledIn = (value: string) => !/\$\{\w+/.test(value);
// biome-ignore lint/suspicious/noTemplateCurlyInString: the variables of temporal.yaml are written so.
const UNFILLED = 'Only temporal.yaml fills in `${NAME}`; in code write `process.env.NAME`';

const server = {
  baseUrl: apiUrl,
  model: text,
  api: z.enum(['chat', 'responses'], { error: 'Expected `chat` or `responses`' }).exactOptional(),
  apiKey: key.exactOptional(),
  headers: headers.exactOptional(),
  maxAnswerBytes: whole(1).exactOptional(),
};

/** Settings that the API of a server has no field for. */
const onlySendable = ({ value: { api, ...settings }, issues }: z.core.ParsePayload<ModelSettings & OfApi>): void => {
  if (settings.providerOptions !== undefined) {
    const message = 'Only models of the AI SDK have provider options; write fields of the request in `extraBody`';
    issues.push({ code: 'custom', input: settings, path: ['providerOptions'], message });
  }
  for (const { setting, problem } of unsentSettings(settings, api)) {
    issues.push({ code: 'custom', input: settings[setting], path: [setting], message: problem });
  }
};
type OfApi = Pick<ServerModel, 'api'>;

/** A model behind a server. */
export const serverModel = section({ ...server, ...options }, { provider: EITHER }).check(onlySendable);

/** Programs may count in the smallest unit of a currency, or make a token cost a whole unit. */
const anyPrices = pricesInCode(priceListOf(number(0, 'a price from 0 to 1000000000', 1_000_000_000)));

const codedServer = section(
  {
    ...server,
    ...codedOptions,
    apiKey: key.refine(isFilledIn, { error: UNFILLED }).exactOptional(),
    headers: headers
      .check(({ value, issues }) => {
        const name = Object.keys(value).find((one) => !isFilledIn(value[one] ?? ''));
        if (name !== undefined) issues.push({ code: 'custom', input: value, path: [name], message: UNFILLED });
      })
      .exactOptional(),
    prices: anyPrices,
  },
  { provider: `write ${SERVER}` },
).check(onlySendable);

/** Reads a model behind a server that is defined in code: its durations are milliseconds, its prices may be a function. */
export function readServerModel(given: object): { model: ServerModel } | { path: string[]; problem: string } {
  const checked = codedServer.safeParse(defined(given));
  if (checked.success) return { model: checked.data };
  const { path, message } = firstIssue(checked.error, `Expected ${SERVER}`);
  return { path: path.map(String), problem: message };
}

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

/** What is wrong with the alias of a model. An object loses `__proto__`, and `holdfast model` takes no empty name. */
export function aliasProblem(alias: string): string | undefined {
  if (alias === '__proto__') return '`__proto__` cannot be the alias of a model; choose another one';
  return alias.trim() === '' ? 'The alias of a model is empty; give it a name, such as `default`' : undefined;
}

const byAlias = named(model, `models by their aliases, such as \`default: ${SERVER.slice(1)}`);

/** The models of temporal.yaml, by alias. */
export const models = z.unknown().transform((value, context): z.output<typeof byAlias> => {
  for (const alias of isRecord(value) ? Object.keys(value) : []) {
    const message = aliasProblem(alias);
    if (message !== undefined) context.issues.push({ code: 'custom', input: value, path: [alias], message });
  }
  return parsedAs(byAlias, value, context);
});
