import { checkFields, fail, isRecord, isText } from '../../../../agent/define/checks/fail';
import type { AdaptedModel, AnyModel } from '../../../../agent/model/config';
import { defined } from '../../../../agent/values/defined';
import { checkModelSettings, MODEL_SETTINGS } from '../../../../runtime/config/models';
import { kindOf } from './checked-part';
import { functionAdapter, GENERATOR, type ModelStream } from './function-adapter';

/** A model that a function speaks with, and the settings that any model can have. */
export interface ModelDefinition extends AnyModel {
  /** What speaks with the provider, such as `my-gateway`, for errors and traces. Default `a function`. */
  name?: string;
  /** Texts that must not appear in errors, such as keys. */
  secrets?: readonly string[];
  /**
   * Makes one call: an async generator that yields parts, or lists of parts that arrived together, and last a part of type
   * `finish`. An error that it throws is retried; one with a `status`, such as `ModelServerError`, counts like that answer
   * of a server. `signal` aborts when the answer is no longer wanted: pass it on.
   */
  stream: ModelStream;
}

const FIELDS = ['name', 'model', 'secrets', 'stream', ...MODEL_SETTINGS];
const PLACE = 'defineModel';

/**
 * Makes a model of a function, for gateways that no other adapter knows.
 * @throws HoldfastError `InvalidDefinition`
 */
export function defineModel(definition: ModelDefinition): AdaptedModel {
  if (!isRecord(definition)) fail(PLACE, 'Expected an object');
  checkFields(definition, FIELDS, PLACE);
  const { name, secrets, stream, model, ...settings } = definition;
  if (!isText(model)) fail(`${PLACE}.model`, "Expected the provider's name of the model");
  const wrong = wrongFunction(stream);
  if (wrong !== undefined)
    fail(`${PLACE}.stream`, `Expected an async generator function, such as ${GENERATOR}, got ${wrong}`);
  if (name !== undefined && !isText(name)) fail(`${PLACE}.name`, 'Expected a non-empty string');
  const isList =
    secrets === undefined || (Array.isArray(secrets) && secrets.every((secret) => typeof secret === 'string'));
  if (!isList) fail(`${PLACE}.secrets`, 'Expected a list of strings');
  return { ...checkModelSettings(defined(settings), PLACE), model, adapter: functionAdapter(stream, name, secrets) };
}

/** Functions that never return what can be read in pieces. What any other one returns shows when it is called. */
const NEVER_ASYNC_ITERABLE: { readonly [tag: string]: string } = {
  '[object AsyncFunction]': 'an async function without `*`, which returns a promise',
  '[object GeneratorFunction]': 'a generator function without `async`',
};

function wrongFunction(stream: unknown): string | undefined {
  if (typeof stream !== 'function') return kindOf(stream);
  return NEVER_ASYNC_ITERABLE[Object.prototype.toString.call(stream)];
}
