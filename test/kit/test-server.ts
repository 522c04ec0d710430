import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import type { NativeConnectionPlugin } from '@temporalio/worker';
import { defined } from '../../agent/values/defined';
import { clientTemporalOptions } from '../../client/temporal-options';
import { resolveBinary } from '../../runtime/binaries/binaries';
import type { StorageConfig } from '../../runtime/config/storage';
import { noStorage } from '../../runtime/storage/payload-storage';
import { openStorage } from '../../runtime/storage/storage';
import { connect } from '../../runtime/temporal/connection';
import type { TemporalOptions } from '../../runtime/temporal/options';
import { type DevServer, startDevServer } from '../../workers/dev/dev-server';
import { openNamespace } from './shared-dev-server';

/** The task queue of its worker. */
export const TASK_QUEUE = 'holdfast-test';

/** Milliseconds in which the end of a server is noticed after it no longer accepts a connection. */
const LAST_WORDS = 500;

/** Options of its server. */
export interface TestServerOptions {
  /**
   * `time-skipping` (default) skips waits, but enforces no limits and cannot list runs; `dev` is the real server, whose
   * time passes normally. If `HOLDFAST_KIT_DEV_SERVER` has the address of a dev server and there are no `serverSettings`,
   * the environment gets a namespace of its own on that server, which is quicker than to start one.
   */
  server?: 'time-skipping' | 'dev';
  /**
   * Dynamic configuration of the `dev` server, over ours: `history.maxInFlightUpdates=10` is the default of other
   * servers.
   */
  serverSettings?: readonly string[];
  /** Temporal's own options for its worker and its client: payload codecs. */
  temporal?: TemporalOptions;
  /** Where its worker, its client and its replays keep payloads that are too large for histories, as in temporal.yaml. */
  storage?: StorageConfig;
}

/** A Temporal server for one test file, and the connections to it. */
export interface TestServer {
  temporal: TestWorkflowEnvironment;
  client: Client;
  namespace: string;
  /** Why a `dev` server has ended that was not stopped here: the signal that killed it, or its last line. */
  ended(): Promise<string | undefined>;
  stop(): Promise<void>;
}

/** As workers of ours are connected to a server on their machine. */
const UNCOMPRESSED: NativeConnectionPlugin = {
  name: 'holdfast.uncompressed',
  configureNativeConnection: (options) => ({ ...options, grpcCompression: { codec: 'none' } }),
};

/** @throws HoldfastError `NoBinary`, `DevServerFailed` */
export async function startTestServer({
  server: kind,
  serverSettings: settings,
  temporal: given,
  storage,
}: TestServerOptions): Promise<TestServer> {
  const externalStorage = storage === undefined ? noStorage('client') : openStorage(storage);
  const dataConverter = { ...clientTemporalOptions(given).dataConverter, externalStorage };
  if (kind !== 'dev') {
    const path = await resolveBinary('temporal-test-server');
    const executable = { type: 'existing-path' as const, path };
    const temporal = await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable },
      client: { dataConverter },
      plugins: [UNCOMPRESSED],
    });
    const stop = () => temporal.teardown();
    return { temporal, client: temporal.client, namespace: 'default', ended: async () => undefined, stop };
  }
  const server = await devServer(settings);
  const { address, namespace } = server;
  const temporal = await TestWorkflowEnvironment.createFromExistingServer({
    address,
    namespace,
    plugins: [UNCOMPRESSED],
  });
  // A separate connection: through the environment's, histories over 4 MiB cannot be fetched.
  const connection = await connect({ temporal: { address, namespace, taskQueue: TASK_QUEUE } });
  return {
    temporal,
    client: new Client({ connection, namespace, dataConverter }),
    namespace,
    ended: () => Promise.race([server.ended, sleep(LAST_WORDS, undefined, { ref: false })]),
    async stop() {
      await connection.close();
      await temporal.teardown();
      await server.stop();
    },
  };
}

type Place = Pick<DevServer, 'address' | 'namespace' | 'ended' | 'stop'>;

async function devServer(settings: readonly string[] | undefined): Promise<Place> {
  const address = process.env.HOLDFAST_KIT_DEV_SERVER;
  if (!address || settings !== undefined) return startDevServer({ ui: false, ...defined({ settings }) });
  return { address, namespace: await openNamespace(address), ended: new Promise(() => {}), stop: async () => {} };
}
