import { isRecord } from '../../agent/define/checks/fail';
import { HoldfastError } from '../../agent/errors/error';
import type { AdaptedModel, ModelConfig } from '../../agent/model/config';
import { defined } from '../../agent/values/defined';
import type { Config, ModuleModel } from '../../runtime/config/config';
import { serverModel } from '../../runtime/config/models';
import { importModule, invalidConfig } from './load-module';

type Models = Record<string, ModelConfig>;

const MODEL = 'a model: what `defineModel` or `aiSdk` returns, or an object with `baseUrl` and `model`';

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
  for (const path of config.agents) {
    const { models: exported } = await importModule(path, '`agents`', config);
    if (exported === undefined) continue;
    const wrong = (place: string, problem: string) =>
      new HoldfastError('InvalidConfig', { file: path, problem: `${place}: ${problem}` });
    if (!isRecord(exported)) throw wrong('`models`', 'Expected an object of models by alias');
    for (const [alias, given] of Object.entries(exported)) {
      const place = `\`models.${alias}\``;
      const other = from[alias];
      if (other !== undefined && models[alias] !== given)
        throw wrong(place, `${other} exports another model of this name`);
      models[alias] = modelIn(given, (problem) => wrong(place, problem));
      from[alias] = path;
    }
  }
  return models;
}

async function moduleModel(alias: string, given: ModuleModel, config: Config): Promise<ModelConfig> {
  const { module: path, export: name = 'default', settings } = given;
  const place = `\`models.${alias}\``;
  const module = await importModule(path, place, config);
  // Not `undefined`: a module without a default export has its namespace there.
  if (!Object.hasOwn(module, name))
    throw invalidConfig(config, `${place}: ${missing(path, name, Object.keys(module))}`);
  const wrong = (problem: string) => invalidConfig(config, `${place}: \`${name}\` of ${path}: ${problem}`);
  return { ...modelIn(module[name], wrong), ...settings };
}

function missing(path: string, name: string, exported: readonly string[]): string {
  const names = exported.filter((one) => one !== 'default' && one !== '__esModule').map((one) => `\`${one}\``);
  const others = names.length === 0 ? '' : `; it exports ${names.join(', ')}`;
  const what = name === 'default' ? 'no default, and `export` names no other export' : `no \`${name}\``;
  return `${path} exports ${what}${others}. Expected ${MODEL}`;
}

/** What a module exports, if it is a model. */
function modelIn(given: unknown, wrong: (problem: string) => Error): ModelConfig {
  if (isAdaptedModel(given)) return given;
  if (!isRecord(given) || !('baseUrl' in given)) throw wrong(`Expected ${MODEL}`);
  const checked = serverModel.safeParse(defined(given));
  if (checked.success) return checked.data;
  const [{ path, message } = { path: [], message: `Expected ${MODEL}` }] = checked.error.issues;
  throw wrong(path.length === 0 ? message : `\`${path.join('.')}\`: ${message}`);
}

/** By shape: the module may import another copy of the package. */
function isAdaptedModel(value: unknown): value is AdaptedModel {
  if (!isRecord(value) || !('adapter' in value) || !('model' in value)) return false;
  const { adapter, model } = value;
  return typeof model === 'string' && isRecord(adapter) && 'stream' in adapter && typeof adapter.stream === 'function';
}
