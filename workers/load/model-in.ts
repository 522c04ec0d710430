import { fail, isRecord } from '../../agent/define/checks/fail';
import type { AdaptedModel, ModelConfig } from '../../agent/model/config';
import { aliasProblem, readServerModel } from '../../runtime/config/models';

export const MODEL = 'a model: what `defineModel` or `aiSdk` returns, or an object with `baseUrl` and `model`';
const WRAPPED = 'with `aiSdk` of `holdfast/worker`';

/**
 * The models that a program passes to a worker, by alias.
 * @throws HoldfastError `InvalidDefinition`
 */
export function checkedModels(given: object): { [alias: string]: ModelConfig } {
  if (!isRecord(given)) fail('models', 'Expected an object of models by alias');
  const models: { [alias: string]: ModelConfig } = {};
  for (const [alias, one] of Object.entries(given)) {
    const wrong = aliasProblem(alias);
    if (wrong !== undefined) fail('models', wrong);
    const read = modelIn(one);
    if ('problem' in read) fail(['models', alias, ...read.path].join('.'), read.problem);
    models[alias] = read.model;
  }
  return models;
}

/** What a module exports or a program passes, if it is a model. */
export function modelIn(given: unknown): { model: ModelConfig } | { path: string[]; problem: string } {
  if (isAdaptedModel(given)) return { model: given };
  if (!isRecord(given) || !isMeantForServer(given)) return { path: [], problem: mistaken(given) };
  return readServerModel(given);
}

/** Also with a misspelled `baseUrl`. */
function isMeantForServer(given: object): boolean {
  return 'baseUrl' in given || ('model' in given && !('adapter' in given));
}

/** What is wrong with a value that is not a model. Some are easily taken for one. */
function mistaken(given: unknown): string {
  if (isRecord(given) && 'then' in given) return 'It is a Promise; use what it resolves to, with `await` before it';
  if (isRecord(given) && 'doStream' in given) return `It is a model of the AI SDK; use \`aiSdk(model)\`, ${WRAPPED}`;
  if (isRecord(given) && 'module' in given)
    return 'Only temporal.yaml takes a `module`; import the model from it, and use that';
  if (typeof given !== 'function') return `Expected ${MODEL}`;
  if ('languageModel' in given)
    return `It is a provider of the AI SDK; use one of its models, \`aiSdk(provider('…'))\`, ${WRAPPED}`;
  return `It is a function; use what it returns. Expected ${MODEL}`;
}

/** By shape: the module may import another copy of the package. */
function isAdaptedModel(value: unknown): value is AdaptedModel {
  if (!isRecord(value) || !('adapter' in value) || !('model' in value)) return false;
  const { adapter, model } = value;
  return typeof model === 'string' && isRecord(adapter) && 'stream' in adapter && typeof adapter.stream === 'function';
}
