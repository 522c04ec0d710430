import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { McpServer } from '../../agent/define/mcp-server';
import type { Outlet } from '../../agent/define/outlet';
import { HoldfastError } from '../../agent/errors/error';
import type { AnyModel, ModelConfig } from '../../agent/model/config';
import type { EmbeddingServer, LocalEmbeddings } from '../../agent/tool-filter/embedding-model';
import { defined } from '../../agent/values/defined';
import type { Environment } from '../binaries/download';
import { readText } from '../files/read-text';
import type { BusConfig } from './bus';
import { type GatewayConfig, gatewayOf } from './gateway';
import { type ConfigFile, configSchema } from './schema';
import { type StorageConfig, storageOf } from './storage';
import { type TemporalConfig, temporalOf } from './temporal';
import { readYaml } from './yaml/yaml';

/** The name of the file. */
const FILE = 'temporal.yaml';

/** A version of the workers' code, as Temporal's worker versioning knows it. */
export interface Deployment {
  /** Name of the deployment: what the versions are versions of. */
  name: string;
  /** Names this version, such as a commit. */
  buildId: string;
  /**
   * `auto-upgrade` (the default): runs move to the current version at their next step; Holdfast keeps their histories
   * replayable. `pinned`: a run ends on the version that it began on, whose workers must be kept until then.
   */
  versioning?: 'auto-upgrade' | 'pinned';
}

/** A model that a module exports. */
export interface ModuleModel {
  /** The module. */
  module: string;
  /** The name of its export. Default: its default export. */
  export?: string;
  /** Replace those of the export. */
  settings: Partial<AnyModel>;
}

/** temporal.yaml, parsed and checked: paths are absolute, durations are milliseconds, defaults are filled in. */
export interface Config {
  /** The file, if there is one. */
  file?: string;
  /** The base of relative paths in the file: its folder, or the working directory. */
  dir: string;
  /** How to reach Temporal. */
  temporal: TemporalConfig;
  /** Modules that export agents. */
  agents: string[];
  /** Models by alias, without those that modules export. */
  models: Record<string, ModelConfig>;
  /** Models that modules export, by alias. Only workers load modules. Default: none. */
  moduleModels?: Record<string, ModuleModel>;
  /** Embedding models by alias. Default: none. */
  embeddings?: Record<string, EmbeddingServer | LocalEmbeddings>;
  /** MCP servers by alias. */
  mcp: Record<string, McpServer>;
  /** Outlets by name. */
  outlets: Record<string, Outlet>;
  /** How workers work. */
  worker: {
    /** How long calls in progress may continue after the worker is asked to stop. Default 30,000 ms. */
    shutdownGrace: number;
    maxConcurrentActivities?: number;
    maxCachedWorkflows?: number;
    /** Time between heartbeats, at least: a cloud bills them, and cancelling waits for one. Default 1,000 ms. */
    heartbeatInterval: number;
    /** The version of the code that the workers run. Missing: they take runs of every version. */
    deployment?: Deployment;
  };
  /** Where payloads are kept that are too large for histories. Missing: in the histories. */
  storage?: StorageConfig;
  /** The HTTP server of `holdfast serve`. Missing: all defaults. */
  gateway?: GatewayConfig;
  /** Where deltas of answers go, for readers on other machines. Missing: readers on this machine get them. */
  bus?: BusConfig;
  /** What `holdfast dev` starts. Ports: 0 is a free one. `dbFile` keeps runs; without it they end with the server. */
  devServer: { port?: number; uiPort?: number; dbFile?: string; ip?: string };
}

export interface LoadConfigOptions {
  /** A file that must exist. Default `HOLDFAST_CONFIG`, then temporal.yaml here or in a folder above; or none. */
  path?: string;
  /** Default the working directory. */
  cwd?: string;
  /** Default `process.env`. */
  env?: Environment;
}

/**
 * Finds, reads and checks temporal.yaml; the `TEMPORAL_*` variables override it.
 * @throws HoldfastError `InvalidConfig`, with line and column if a file is at fault
 */
export async function loadConfig({
  path,
  cwd = process.cwd(),
  env = process.env,
}: LoadConfigOptions = {}): Promise<Config> {
  const named = path ?? (env.HOLDFAST_CONFIG || undefined);
  const found = named === undefined ? await search(resolve(cwd)) : await readNamed(resolve(cwd, named));
  const dir = found === undefined ? resolve(cwd) : dirname(found.file);
  const yaml = found === undefined ? undefined : readYaml(found.file, found.source, env);
  const checked = configSchema.safeParse(yaml?.value ?? {});
  if (!checked.success) {
    throw yaml?.invalidIssue(checked.error) ?? new Error('The defaults do not fit their schema');
  }
  return {
    ...defined({ file: found?.file }),
    ...complete(checked.data, dir),
    temporal: await temporalOf(checked.data.temporal ?? {}, dir, env, yaml),
  };
}

function complete(file: ConfigFile, dir: string): Omit<Config, 'file' | 'temporal'> {
  const mcp = Object.entries(file.mcp ?? {}).map(
    ([alias, server]) =>
      [alias, 'url' in server ? server : { ...server, cwd: resolve(dir, server.cwd ?? '.') }] as const,
  );
  const { dbFile, ...devServer } = file.devServer ?? {};
  return {
    dir,
    agents: (file.agents ?? []).map((path) => resolve(dir, path)),
    ...modelsOf(file, dir),
    ...defined({ embeddings: file.embeddings }),
    mcp: Object.fromEntries(mcp),
    outlets: file.outlets ?? {},
    worker: { shutdownGrace: 30_000, heartbeatInterval: 1000, ...file.worker },
    ...defined({ storage: file.storage && storageOf(file.storage, dir), bus: file.bus }),
    ...(file.gateway === undefined ? {} : { gateway: gatewayOf(file.gateway) }),
    devServer: { ...devServer, ...(dbFile === undefined ? {} : { dbFile: resolve(dir, dbFile) }) },
  };
}

function modelsOf({ models = {} }: ConfigFile, dir: string): Pick<Config, 'models' | 'moduleModels'> {
  const own: Config['models'] = {};
  const exported: NonNullable<Config['moduleModels']> = {};
  for (const [alias, given] of Object.entries(models)) {
    if ('baseUrl' in given) own[alias] = given;
    else {
      const { module, export: name, ...settings } = given;
      exported[alias] = { module: resolve(dir, module), ...defined({ export: name }), settings };
    }
  }
  return { models: own, ...(Object.keys(exported).length === 0 ? {} : { moduleModels: exported }) };
}

async function search(folder: string): Promise<{ file: string; source: string } | undefined> {
  const file = join(folder, FILE);
  if (existsSync(file)) return readNamed(file);
  return dirname(folder) === folder ? undefined : search(dirname(folder));
}

/** @throws HoldfastError `InvalidConfig` */
export async function readNamed(file: string): Promise<{ file: string; source: string }> {
  const source = await readText(file, (said, code) => {
    const hint = code === 'EISDIR' && existsSync(join(file, FILE)) ? `, such as ${join(file, FILE)}` : '';
    return new HoldfastError('InvalidConfig', { file, problem: said + hint });
  });
  return { file, source };
}
