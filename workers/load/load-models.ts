import { adapterFor } from '../../activities/model/adapters/adapter-for';
import { isRecord } from '../../agent/define/checks/fail';
import { HoldfastError } from '../../agent/errors/error';
import type { ModelConfig } from '../../agent/model/config';
import type { ModelSettings } from '../../agent/model/settings';
import type { Config, ModuleModel } from '../../runtime/config/config';
import { invalidSetting } from '../../runtime/config/invalid-setting';
import { aliasProblem } from '../../runtime/config/models';
import { agentsSetting } from './load-agents';
import { importModule } from './load-module';
import { MODEL, modelIn } from './model-in';

type Models = Record<string, ModelConfig>;

const NO_FIELD =
  'This model has no field for it. Remove it, or set it where the model is made, in the words of its provider, such as in `providerOptions`';

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
      const unnamed = aliasProblem(alias);
      if (unnamed !== undefined) throw wrong('`models`', unnamed);
      const other = from[alias];
      if (other !== undefined && models[alias] !== given)
        throw wrong(place, `${other} exports another model of this name`);
      const read = modelIn(given);
      if ('problem' in read) throw wrong(place, fullProblem(read));
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
  if ('problem' in read) throw await invalidSetting(config, chosen, `\`${name}\` of ${path}: ${fullProblem(read)}`);
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

function fullProblem({ path, problem }: { path: readonly string[]; problem: string }): string {
  return path.length === 0 ? problem : `\`${path.join('.')}\`: ${problem}`;
}
