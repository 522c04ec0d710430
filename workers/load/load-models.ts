import { adapterFor } from '../../activities/model/adapters/adapter-for';
import { isRecord } from '../../agent/define/checks/fail';
import { HoldfastError } from '../../agent/errors/error';
import type { AdaptedModel, ModelConfig } from '../../agent/model/config';
import type { ModelSettings } from '../../agent/model/settings';
import { defined } from '../../agent/values/defined';
import type { Config, ModuleModel } from '../../runtime/config/config';
import { invalidSetting } from '../../runtime/config/invalid-setting';
import { serverModel } from '../../runtime/config/models';
import { agentsSetting } from './load-agents';
import { importModule } from './load-module';

type Models = Record<string, ModelConfig>;

const MODEL = 'a model: what `defineModel` or `aiSdk` returns, or an object with `baseUrl` and `model`';
const NO_FIELD =
  'This model has no field for it. Remove it, or set it where the model is made, in the words of its provider, such as in `providerOptions`';
const WRAPPED = 'with `aiSdk` of `holdfast/worker`';

/**
 * The models of a configuration by alias: those that modules of agents export as `models`, and those of temporal.yaml,
 * which replace them.
 * @param options.ofAgents whether modules of agents are asked. Default true
 * @throws HoldfastError `InvalidConfig`, and `InvalidDefinition` or `ModuleNotLoaded` with file and line
 */
export async function loadModels(config: Config, { ofAgents = true }: { ofAgents?: boolean } = {}): Promise<Models> {
  const models = ofAgents ? await modelsOfAgents(config) : {};
  Object.assign(models, config.models);
  for (const [alias, given] of Object.entries(config.moduleModels ?? {})) {
    models[alias] = await moduleModel(alias, given, config);
  }
  return models;
}

async function modelsOfAgents(config: Config): Promise<Models> {
  const models: Models = {};
  const from: { [alias: string]: string } = {};
  for (const [index, path] of config.agents.entries()) {
    const { models: exported } = await importModule(path, agentsSetting(index), config);
    if (exported === undefined) continue;
    const wrong = (place: string, problem: string) =>
      new HoldfastError('InvalidConfig', { file: path, problem: `${place}: ${problem}` });
    if (!isRecord(exported)) throw wrong('`models`', 'Expected an object of models by alias');
    for (const [alias, given] of Object.entries(exported)) {
      const place = `\`models.${alias}\``;
      const other = from[alias];
      if (other !== undefined && models[alias] !== given)
        throw wrong(place, `${other} exports another model of this name`);
      const read = modelIn(given);
      if ('problem' in read) throw wrong(place, read.problem);
      models[alias] = read.model;
      from[alias] = path;
    }
  }
  return models;
}

async function moduleModel(alias: string, given: ModuleModel, config: Config): Promise<ModelConfig> {
  const { module: path, export: name = 'default', settings } = given;
  const settingOf = (field: string) => ({ name: `models.${alias}`, at: ['models', alias, field] });
  const module = await importModule(path, settingOf('module'), config);
  const chosen = settingOf(given.export === undefined ? 'module' : 'export');
  // Not `undefined`: a module without a default export has its namespace there.
  if (!Object.hasOwn(module, name)) {
    throw await invalidSetting(config, chosen, missing(path, name, Object.keys(module)));
  }
  const read = modelIn(module[name]);
  if ('problem' in read) throw await invalidSetting(config, chosen, `\`${name}\` of ${path}: ${read.problem}`);
  const unsent = unsentOf(read.model, settings);
  if (unsent !== undefined)
    throw await invalidSetting(config, { ...settingOf(unsent), name: `models.${alias}.${unsent}` }, NO_FIELD);
  return { ...read.model, ...settings };
}

/** A setting that the model would not be sent. Several calls at a time are what every provider does. */
function unsentOf(model: ModelConfig, settings: ModelSettings): keyof ModelSettings | undefined {
  return adapterFor(model).unsent?.find(
    (name) => settings[name] !== undefined && !(name === 'parallelToolCalls' && settings[name] === true),
  );
}

function missing(path: string, name: string, exported: readonly string[]): string {
  const names = exported.filter((one) => one !== 'default' && one !== '__esModule').map((one) => `\`${one}\``);
  const others = names.length === 0 ? '' : `; it exports ${names.join(', ')}`;
  const what = name === 'default' ? 'no default, and `export` names no other export' : `no \`${name}\``;
  return `${path} exports ${what}${others}. Expected ${MODEL}`;
}

/** What a module exports, if it is a model. */
function modelIn(given: unknown): { model: ModelConfig } | { problem: string } {
  if (isAdaptedModel(given)) return { model: given };
  if (!isRecord(given) || !('baseUrl' in given)) return { problem: mistaken(given) };
  const checked = serverModel.safeParse(defined(given));
  if (checked.success) return { model: checked.data };
  const [{ path, message } = { path: [], message: `Expected ${MODEL}` }] = checked.error.issues;
  return { problem: path.length === 0 ? message : `\`${path.join('.')}\`: ${message}` };
}

/** What is wrong with an export that is not a model. Some values are easily taken for one. */
function mistaken(given: unknown): string {
  if (isRecord(given) && 'then' in given) return 'It is a Promise; export what it resolves to, with `await` before it';
  if (isRecord(given) && 'doStream' in given) return `It is a model of the AI SDK; export \`aiSdk(model)\`, ${WRAPPED}`;
  if (typeof given !== 'function') return `Expected ${MODEL}`;
  if ('languageModel' in given)
    return `It is a provider of the AI SDK; export one of its models, \`aiSdk(provider('…'))\`, ${WRAPPED}`;
  return `It is a function; export what it returns. Expected ${MODEL}`;
}

/** By shape: the module may import another copy of the package. */
function isAdaptedModel(value: unknown): value is AdaptedModel {
  if (!isRecord(value) || !('adapter' in value) || !('model' in value)) return false;
  const { adapter, model } = value;
  return typeof model === 'string' && isRecord(adapter) && 'stream' in adapter && typeof adapter.stream === 'function';
}
