import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TLSConfig } from '@temporalio/client';
import type { SettingSource } from '../../agent/errors/tried-server';
import { defined } from '../../agent/values/defined';
import type { Environment } from '../binaries/download';
import { fileProblem } from '../files/file-problem';
import { withPort } from '../temporal/address';
import { type TemporalEnvironment, temporalEnvironment } from '../temporal/environment';
import { tlsProblem } from '../temporal/tls-problem';
import type { ConfigFile } from './schema';
import type { PositionedYaml } from './yaml/yaml';

/** How to reach Temporal. */
export interface TemporalConfig {
  /** Default `localhost:7233`. */
  address: string;
  /** Where the address comes from. Missing for the default. */
  addressFrom?: SettingSource;
  /** Default `default`. */
  namespace: string;
  /** Default `holdfast`. */
  taskQueue: string;
  /** Also set if there is an API key, unless it is switched off. */
  tls?: TLSConfig | boolean;
  /** Where `tls` comes from. `apiKey`: it is on since there is a key. Missing for the default. */
  tlsFrom?: SettingSource | 'apiKey';
  /** Sent with every call, as Temporal Cloud wants it. */
  apiKey?: string;
  /** Where the API key comes from. Missing without one. */
  apiKeyFrom?: SettingSource;
  /** gRPC metadata, from `TEMPORAL_GRPC_META_*`. */
  metadata?: Record<string, string>;
  /** How workers compress what they send, and let the server compress. Default: `none` on this machine, else `gzip`. */
  compression?: 'gzip' | 'none';
}

/**
 * How to reach Temporal, by the environment and temporal.yaml.
 * @throws HoldfastError `InvalidConfig`
 */
export async function temporalOf(
  file: NonNullable<ConfigFile['temporal']>,
  dir: string,
  env: Environment,
  yaml: PositionedYaml | undefined,
): Promise<TemporalConfig> {
  const read = async (field: 'serverCa' | 'cert' | 'key') => {
    const path = file.tls?.[field];
    if (path === undefined) return undefined;
    try {
      return await readFile(resolve(dir, path));
    } catch (error) {
      throw yaml?.invalid(['temporal', 'tls', field], fileProblem(error));
    }
  };
  const tls = async (): Promise<TLSConfig | boolean | undefined> => {
    if (file.tls === undefined) return undefined;
    if (file.tls === null) return false;
    const [serverCa, crt, key] = await Promise.all([read('serverCa'), read('cert'), read('key')]);
    const given = defined({
      serverNameOverride: file.tls.serverName,
      serverRootCACertificate: serverCa,
      clientCertPair: crt !== undefined && key !== undefined ? { crt, key } : undefined,
    });
    const wrong = tlsProblem(given);
    if (wrong !== undefined) throw yaml?.invalid(['temporal', 'tls', wrong.field], wrong.problem);
    return given;
  };
  const environment = temporalEnvironment(env);
  const apiKey = environment.apiKey ?? file.apiKey;
  const own = environment.tls ?? (await tls());
  return defined({
    ...sourcesOf(environment, file, own !== undefined),
    address: withPort(environment.address ?? file.address ?? 'localhost'),
    namespace: environment.namespace ?? file.namespace ?? 'default',
    taskQueue: file.taskQueue ?? 'holdfast',
    // As in envconfig: a key alone implies TLS, since it must not be sent unencrypted.
    tls: own ?? (apiKey === undefined ? undefined : true),
    apiKey,
    metadata: environment.metadata,
    compression: file.compression,
  });
}

/** Where settings come from, for errors. */
function sourcesOf(
  { addressFrom, apiKeyFrom, tlsFrom }: TemporalEnvironment,
  { address, apiKey }: NonNullable<ConfigFile['temporal']>,
  isTlsGiven: boolean,
): Pick<TemporalConfig, 'addressFrom' | 'apiKeyFrom' | 'tlsFrom'> {
  const inFile = (value: string | undefined) => (value === undefined ? undefined : ('file' as const));
  const keyFrom = apiKeyFrom ?? inFile(apiKey);
  const implied = keyFrom === undefined ? undefined : ('apiKey' as const);
  const switchedBy = isTlsGiven ? (tlsFrom ?? ('file' as const)) : implied;
  return defined({ addressFrom: addressFrom ?? inFile(address), apiKeyFrom: keyFrom, tlsFrom: switchedBy });
}
