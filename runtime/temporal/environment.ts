import { statSync } from 'node:fs';
import type { TLSConfig } from '@temporalio/client';
import { loadClientConfigProfile, toClientOptions } from '@temporalio/envconfig';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import type { Environment } from '../binaries/download';
import { fileProblem } from '../files/file-problem';
import { EXPECTED_ADDRESS, isAddress } from './address';

export interface TemporalEnvironment {
  address?: string;
  namespace?: string;
  apiKey?: string;
  tls?: TLSConfig | boolean;
  metadata?: Record<string, string>;
}

/**
 * The settings of the `TEMPORAL_*` variables. A profile of temporal.toml is included only if TEMPORAL_PROFILE or
 * TEMPORAL_CONFIG_FILE selects one: the default profile of a user's `temporal` CLI must not send their agents to
 * another cluster than temporal.yaml names.
 * @throws HoldfastError `InvalidConfig`
 */
export function temporalEnvironment(env: Environment): TemporalEnvironment {
  // Containers and CI use an empty variable for "not set".
  const set = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
  const disableFile = set.TEMPORAL_PROFILE === undefined && set.TEMPORAL_CONFIG_FILE === undefined;
  const given = read(set, disableFile);
  if (given.address !== undefined && !isAddress(given.address)) {
    // A profile may have it as well.
    const file = set.TEMPORAL_ADDRESS === undefined ? ENVIRONMENT : 'TEMPORAL_ADDRESS';
    throw new HoldfastError('InvalidConfig', { file, problem: EXPECTED_ADDRESS });
  }
  return given;
}

const ENVIRONMENT = 'TEMPORAL_* environment';

function read(set: Record<string, string>, disableFile: boolean): TemporalEnvironment {
  try {
    const { address, namespace, apiKey, tls, grpcMeta } = loadClientConfigProfile({
      disableFile,
      overrideEnvVars: set,
    });
    const transport = tls === undefined ? undefined : toClientOptions({ tls }).connectionOptions.tls;
    return {
      ...defined({ address, namespace, apiKey }),
      ...(transport === undefined || transport === null ? {} : { tls: transport }),
      ...defined({ metadata: grpcMeta }),
    };
  } catch (error) {
    const [name, path] = Object.entries(set).find((entry) => namesFile(entry, error as NodeJS.ErrnoException)) ?? [];
    if (name === undefined) throw new HoldfastError('InvalidConfig', { file: ENVIRONMENT, problem: messageOf(error) });
    throw new HoldfastError('InvalidConfig', { file: name, problem: `${path}: ${fileProblem(error)}` });
  }
}

/** Whether a variable names the file of an error. The error of a folder names no path. */
function namesFile([name, value]: [string, string], { syscall, path }: NodeJS.ErrnoException): boolean {
  if (syscall === undefined || !/^TEMPORAL_(TLS_.*_PATH|CONFIG_FILE)$/.test(name)) return false;
  return path === undefined ? (statSync(value, { throwIfNoEntry: false })?.isDirectory() ?? false) : value === path;
}
