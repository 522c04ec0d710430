import { type DevServer, startDevServer } from '../../workers/dev/dev-server';
import globalSetup from './global-setup';

declare global {
  /** The dev server of all test files of this run. */
  var holdfastDevServer: DevServer | undefined;
}

/** The same with one dev server for all test files, on which each test environment has a namespace of its own. */
export default async function withDevServer(): Promise<void> {
  // The server starts while the bundles are made. It belongs to the run of tests that `globalSetup` begins at once.
  const [, server] = await Promise.all([globalSetup(), startDevServer({ ui: false })]);
  globalThis.holdfastDevServer = server;
  process.env.HOLDFAST_KIT_DEV_SERVER = server.address;
}
