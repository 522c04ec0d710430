import { statSync } from 'node:fs';
import type { TLSConfig } from '@temporalio/client';
import { loadClientConfigProfile, toClientOptions } from '@temporalio/envconfig';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import type { SettingSource } from '../../agent/errors/tried-server';
import { defined } from '../../agent/values/defined';
import type { Environment } from '../binaries/download';
import { fileProblem } from '../files/file-problem';
import { EXPECTED_ADDRESS, isAddress } from './address';
import { tlsProblem } from './tls-problem';

type EnvironmentSource = Exclude<SettingSource, 'file'>;

export interface TemporalEnvironment {
  address?: string;
  namespace?: string;
  apiKey?: string;
  tls?: TLSConfig | boolean;
  metadata?: Record<string, string>;
  addressFrom?: EnvironmentSource;
  apiKeyFrom?: EnvironmentSource;
  tlsFrom?: EnvironmentSource;
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
    if (tls !== undefined && transport !== false) refuseHalf(tls, set);
    if (typeof transport === 'object' && transport !== null) refuseUnreadable(transport, set);
    return {
      ...defined({ address, namespace, apiKey }),
      ...(transport === undefined || transport === null ? {} : { tls: transport }),
      ...defined({ metadata: grpcMeta }),
      ...defined({
        addressFrom: address === undefined ? undefined : sourceOf(set.TEMPORAL_ADDRESS !== undefined),
        apiKeyFrom: apiKey === undefined ? undefined : sourceOf(set.TEMPORAL_API_KEY !== undefined),
        tlsFrom:
          tls === undefined ? undefined : sourceOf(Object.keys(set).some((name) => /^TEMPORAL_TLS(_|$)/.test(name))),
      }),
    };
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    const [name, path] = Object.entries(set).find((entry) => namesFile(entry, error as NodeJS.ErrnoException)) ?? [];
    if (name === undefined) throw new HoldfastError('InvalidConfig', { file: ENVIRONMENT, problem: messageOf(error) });
    throw new HoldfastError('InvalidConfig', { file: name, problem: `${path}: ${fileProblem(error)}` });
  }
}

function sourceOf(isVariable: boolean): EnvironmentSource {
  return isVariable ? 'environment' : 'profile';
}

type Tls = NonNullable<ReturnType<typeof loadClientConfigProfile>['tls']>;

/** The variable that has a part of TLS, or else the profile. */
function placeOf(part: string, set: Record<string, string>): string {
  const name = [`TEMPORAL_TLS_${part}_PATH`, `TEMPORAL_TLS_${part}_DATA`].find((one) => set[one] !== undefined);
  return name ?? 'the profile of temporal.toml';
}

/** The SDK would leave out a certificate without its key, or the reverse, and the server would refuse the connection. */
function refuseHalf({ clientCert, clientKey }: Tls, set: Record<string, string>): void {
  if ((clientCert === undefined) === (clientKey === undefined)) return;
  const [has, lacks] = clientKey === undefined ? ['CLIENT_CERT', 'CLIENT_KEY'] : ['CLIENT_KEY', 'CLIENT_CERT'];
  const [part, other] =
    clientKey === undefined ? ['certificate', 'its private key'] : ['private key', 'its certificate'];
  const problem = `A client is known by a certificate and its private key, and here is only the ${part}. Name the file of ${other} in TEMPORAL_TLS_${lacks}_PATH`;
  throw new HoldfastError('InvalidConfig', { file: placeOf(has, set), problem });
}

const PARTS = { serverCa: 'SERVER_CA_CERT', cert: 'CLIENT_CERT', key: 'CLIENT_KEY' } as const;

function refuseUnreadable(tls: TLSConfig, set: Record<string, string>): void {
  const found = tlsProblem(tls);
  if (found === undefined) return;
  const file = placeOf(PARTS[found.field], set);
  const path = file.endsWith('_PATH') ? `${set[file]}: ` : '';
  throw new HoldfastError('InvalidConfig', { file, problem: path + found.problem });
}

/** Whether a variable names the file of an error. The error of a folder names no path. */
function namesFile([name, value]: [string, string], { syscall, path }: NodeJS.ErrnoException): boolean {
  if (syscall === undefined || !/^TEMPORAL_(TLS_.*_PATH|CONFIG_FILE)$/.test(name)) return false;
  return path === undefined ? (statSync(value, { throwIfNoEntry: false })?.isDirectory() ?? false) : value === path;
}
