import { relative } from 'node:path';
import { adapterFor } from '../../activities/model/adapters/adapter-for';
import type { Agent } from '../../agent/define/agent-definition';
import { modelAliases } from '../../agent/define/model-aliases';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { isAdapted } from '../../agent/model/config';
import { defined } from '../../agent/values/defined';
import { type BinaryName, describeBinary } from '../../runtime/binaries/binaries';
import { checkRedis } from '../../runtime/bus/redis/check-redis';
import { placeOf } from '../../runtime/bus/redis/connection';
import type { BusConfig } from '../../runtime/config/bus';
import { type Config, loadConfig } from '../../runtime/config/config';
import type { StorageConfig } from '../../runtime/config/storage';
import { checkStorage } from '../../runtime/storage/storage';
import { loadAgents } from '../../workers/load/load-agents';
import { loadModels } from '../../workers/load/load-models';
import { modelText } from '../lines/facts/model-line';
import { printedCommand } from '../terminal/printed-command';
import type { Tell } from './finding';
import { checkMcp } from './mcp';

const OLDEST_NODE = [20, 20] as const;
const WAYS = {
  environment: 'named by the environment',
  path: 'on PATH',
  cache: 'in our cache',
};

/** Checks Node and Temporal's programs. `canServe`: a dev server can be started here. */
export async function checkMachine(tell: Tell): Promise<{ canServe: boolean }> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const recent = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  tell({
    state: recent ? 'ok' : 'missing',
    what: 'Node.js',
    found: process.versions.node,
    ...(recent ? {} : { todo: `install Node.js ${OLDEST_NODE.join('.')} or newer` }),
  });
  const canServe = await checkBinary(tell, 'temporal', 'HOLDFAST_TEMPORAL_BIN', '`holdfast dev`');
  await checkBinary(tell, 'temporal-test-server', 'HOLDFAST_TEST_SERVER_BIN', 'tests that skip time');
  return { canServe };
}

async function checkBinary(tell: Tell, name: BinaryName, variable: string, use: string): Promise<boolean> {
  try {
    const binary = await describeBinary(name);
    if (binary.kind === 'download') {
      const found = `not here: the first use downloads it from ${binary.from.join(', else ')} into ${binary.into}`;
      tell({ state: 'note', what: name, found, todo: `nothing; only ${use} needs it` });
    } else {
      const { path, kind, version } = binary;
      tell({ state: 'ok', what: name, found: [version, `${WAYS[kind]}: ${path}`].filter(Boolean).join(', ') });
    }
    return true;
  } catch (error) {
    const tried = error instanceof HoldfastError && error.type === 'NoBinary' ? error.data : undefined;
    const reasons = tried !== undefined && 'tried' in tried ? tried.tried.join('; ') : messageOf(error);
    // With a server elsewhere it is not needed.
    const todo = `only ${use} needs it: correct ${variable}, or unset it`;
    tell({ state: 'note', what: name, found: `not found (${reasons})`, todo });
    return false;
  }
}

/** Checks temporal.yaml and what it names; the configuration that it returns has the models of modules. Nothing more can be checked if it is not readable. */
export async function checkConfig(
  tell: Tell,
  path: string | undefined,
): Promise<{ config: Config | undefined; agents: Agent[] }> {
  let config: Config;
  try {
    config = await loadConfig(defined({ path }));
  } catch (error) {
    tell({ state: 'missing', what: 'temporal.yaml', found: messageOf(error) });
    return { config: undefined, agents: [] };
  }
  tell(
    config.file === undefined
      ? { state: 'note', what: 'temporal.yaml', found: 'none here or above', todo: noConfig() }
      : { state: 'ok', what: 'temporal.yaml', found: config.file },
  );
  const agents = await checkAgents(tell, config);
  // Modules of agents that cannot be loaded have been reported.
  const models = await loadModels(config, { ofAgents: agents.length > 0 }).catch((error: unknown) => {
    tell({ state: 'missing', what: 'models', found: messageOf(error) });
    return undefined;
  });
  const loaded = { ...config, ...defined({ models }) };
  if (models !== undefined) checkModels(tell, loaded, agents);
  await checkMcp(tell, config, agents);
  if (config.storage !== undefined) await checkStorageOf(tell, config.storage);
  if (config.bus !== undefined) await checkBus(tell, config.bus);
  return { config: loaded, agents };
}

function noConfig(): string {
  return `defaults are used; \`${printedCommand('init', 'my-agent')}\` writes a project with one`;
}

async function checkAgents(tell: Tell, config: Config): Promise<Agent[]> {
  if (config.agents.length === 0) {
    const todo = 'name the module that exports your agents under `agents` in temporal.yaml';
    tell({ state: 'note', what: 'agents', found: 'none', todo });
    return [];
  }
  try {
    const agents = await loadAgents(config);
    const from = config.agents.map((module) => relative(config.dir, module)).join(', ');
    tell({ state: 'ok', what: 'agents', found: `${agents.map(({ name }) => name).join(', ')} (${from})` });
    return agents;
  } catch (error) {
    tell({ state: 'missing', what: 'agents', found: messageOf(error) });
    return [];
  }
}

function checkModels(tell: Tell, { models }: Config, agents: readonly Agent[]): void {
  const known = Object.keys(models);
  for (const [alias, config] of Object.entries(models)) {
    const key = isAdapted(config) ? '' : config.apiKey === undefined ? ', no key' : ', a key is set';
    const { provider: address, kind: adapter } = adapterFor(config);
    tell({ state: 'ok', what: `model ${alias}`, found: modelText({ model: config.model, address, adapter }) + key });
  }
  // By the first agent that names each.
  const wanted = new Map(
    agents
      .toReversed()
      .flatMap(({ name, definition }) => modelAliases(definition).map((alias) => [alias, name] as const)),
  );
  for (const [alias, agent] of wanted) {
    if (known.includes(alias)) continue;
    tell({
      state: 'missing',
      what: `model ${alias}`,
      found: new HoldfastError('UnknownModel', { alias, known, agent }).message,
    });
  }
  if (known.length === 0 && wanted.size === 0) tell({ state: 'note', what: 'models', found: 'none' });
}

async function checkStorageOf(tell: Tell, storage: StorageConfig): Promise<void> {
  const found = 'folder' in storage ? storage.folder : `bucket ${storage.bucket}`;
  await checkStorage(storage).then(
    () => tell({ state: 'ok', what: 'storage', found: `${found}, written and read` }),
    (error: unknown) => tell({ state: 'missing', what: 'storage', found: messageOf(error) }),
  );
}

/** Agents run without it. */
async function checkBus(tell: Tell, bus: BusConfig): Promise<void> {
  const problem = await checkRedis(bus).catch(messageOf);
  const where = placeOf(bus);
  if (problem === undefined) tell({ state: 'ok', what: 'bus', found: `${where}, written and read` });
  else {
    const todo = 'start it, or correct `bus` in temporal.yaml; without it answers arrive whole';
    tell({ state: 'note', what: 'bus', found: `Redis cannot be used at ${where} (${problem})`, todo });
  }
}
