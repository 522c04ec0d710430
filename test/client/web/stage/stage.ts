import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type GatewayConfig, gatewayOf, newKey, type ServedGateway, serveGateway } from 'holdfast/server';
import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { SILENT_LOG } from '../../../../runtime/log';
import { ROOT } from '../../../sources';
import { AGENTS } from './agents';

const TOKEN = 'token-of-this-machine';

type Key = GatewayConfig['keys'][number];
/** Keys of users who may not do everything, each named by what it may. */
const KEYS = Object.fromEntries(
  ([['read'], ['read', 'decide'], ['decide']] as const).map((scopes) => {
    const { key, hash } = newKey();
    const user = scopes.join(' ');
    return [user, { token: key, entry: { name: user, hash, tenant: 'acme', user, scopes: [...scopes] } satisfies Key }];
  }),
);

/** A device of a user with a key. */
interface DeviceOptions extends BrowserContextOptions {
  key?: string;
}

/** The page in Chromium, on a gateway with a worker, a Temporal server and a scripted model. */
export class Stage {
  /** Addresses of all requests that left a page. */
  readonly requested: string[] = [];
  /** What pages reported as errors: scripts that failed, and what the policy of the page refused. */
  readonly errors: string[] = [];
  #devices: BrowserContext[] = [];

  private constructor(
    readonly kit: AgentTestEnvironment,
    readonly folder: string,
    private served: ServedGateway,
    private readonly browser: Browser,
  ) {}

  static async open(): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-page-'));
    const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
    await promisify(execFile)(process.execPath, [vite, 'build', 'client/web', '--outDir', folder], { cwd: ROOT });
    const kit = await createAgentTestEnvironment({ agents: AGENTS, server: 'dev' });
    const served = await Stage.#serve(kit, folder, 0);
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      // Chromium refuses to run as root with its sandbox, as it does in containers.
      args: ['--no-sandbox'],
    });
    return new Stage(kit, folder, served, browser);
  }

  static #serve(kit: AgentTestEnvironment, page: string, port: number): Promise<ServedGateway> {
    const config = { ...gatewayOf(), port, keys: Object.values(KEYS).map(({ entry }) => entry) };
    const { client } = kit;
    return serveGateway({ client, agents: AGENTS, config, localToken: TOKEN, user: 'ann', log: SILENT_LOG, page });
  }

  get url(): string {
    return this.served.url;
  }

  /** Another device: a page with a memory of its own. */
  async device(path = '/', { key, ...options }: DeviceOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 1240, height: 800 }, ...options });
    this.#devices.push(context);
    context.setDefaultTimeout(60_000);
    context.on('request', (request) => this.requested.push(request.url()));
    const page = await context.newPage();
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.errors.push(message.text());
    });
    const token = key === undefined ? TOKEN : KEYS[key]?.token;
    await page.goto(`${this.url}${path}#token=${token}`);
    return page;
  }

  async closeDevices(): Promise<void> {
    const devices = this.#devices;
    this.#devices = [];
    for (const device of devices) await device.close();
  }

  /** Starts a conversation and says something, without the page. */
  async conversation(
    text: string,
    { agent = 'support.desk', key }: { agent?: string; key?: string } = {},
  ): Promise<string> {
    const id = `c${Math.random().toString(36).slice(2)}`;
    const owner = key === undefined ? {} : { owner: `acme:${key}` };
    await this.kit.conversation(agent, { id, ...owner }).send(text);
    return id;
  }

  /** Ends the server as a deployment does. */
  stopServing(): Promise<void> {
    return this.served.close();
  }

  /** Serves again at the same address. */
  async serveAgain(): Promise<void> {
    this.served = await Stage.#serve(this.kit, this.folder, Number(new URL(this.url).port));
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.served.close();
    await this.kit.close();
    await rm(this.folder, { recursive: true });
  }
}

/** Opens a stage for the tests of a file, each of which begins with an empty script and without a device. */
export function stageForTests(opened: (stage: Stage) => void): void {
  let stage: Stage | undefined;
  beforeAll(async () => {
    stage = await Stage.open();
    opened(stage);
  });
  beforeEach(() => stage?.kit.model.reset());
  afterEach(() => stage?.closeDevices());
  afterAll(() => stage?.close());
}

/** The address of a run's view. */
export function runPath(id: string, view = ''): string {
  return `/runs/${encodeURIComponent(id)}${view}`;
}
