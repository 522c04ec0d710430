import { type DevServer, startDevServer } from '../../workers/dev/dev-server';
import globalSetup from './global-setup';

declare global {
  /** The dev server of all test files of this run. */
  var holdfastDevServer: DevServer | undefined;
}

/** The same with one dev server for all test files, on which each test environment has a namespace of its own. */
export default async function withDevServer(): Promise<void> {
  await globalSetup();
  globalThis.holdfastDevServer = await startDevServer({ ui: false });
  process.env.HOLDFAST_KIT_DEV_SERVER = globalThis.holdfastDevServer.address;
}
