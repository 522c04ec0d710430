import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentClient } from '../../client/agent-client';
import { loadConfig } from '../../runtime/config/config';
import { type DevServer, startDevServer } from '../../workers/dev/dev-server';
import { WorkerChild } from '../durability/stage/worker-child';
import { type ModelServer, serveModel } from '../kit/model-server';
import { calls, text } from '../kit/scripted-model';
import { HOLDFAST, MAIN, RUN_TS } from '../sources';
import { SECRETS } from './planted';

const AGENTS = `import { defineAgent } from ${JSON.stringify(HOLDFAST)};
const instructions = 'x';
export const agents = [
  defineAgent({ name: 'secret.worker', instructions, mcp: { leaky: 'leaky' } }),
  defineAgent({ name: 'secret.refused', instructions, model: 'refused' }),
  defineAgent({ name: 'secret.dead', instructions, mcp: { dead: 'dead' }, limits: { startPatience: '1s' } }),
  defineAgent({ name: 'secret.http', instructions, mcp: { remote: 'remote' }, limits: { startPatience: '1s' } }),
  defineAgent({
    name: 'secret.reference',
    instructions,
    limits: { startPatience: '1s' },
    mcp: { remote: { url: process.env.MCP_URL, headers: { Authorization: { env: 'MCP_TOKEN', prefix: 'Bearer ' } } } },
  }),
];`;

const config = (model: ModelServer) => `agents: agents.ts
models:
  default: {baseUrl: '${model.url}', model: good, apiKey: '\${MODEL_KEY}', headers: {X-Gateway: 'Key \${GATEWAY_KEY}'}}
  refused: {baseUrl: '${model.url}', model: bad, apiKey: '\${MODEL_KEY}', headers: {X-Gateway: 'Key \${GATEWAY_KEY}'}}
mcp:
  leaky: &leaky
    command: ${process.execPath}
    args: ['${join(__dirname, 'leaky-server.mjs')}', works]
    env: {API_KEY: '\${MCP_KEY}', PRIVATE_KEY: '\${MCP_PRIVATE_KEY}'}
  dead:
    command: ${process.execPath}
    args: ['${join(__dirname, 'leaky-server.mjs')}', dies, '--token=\${MCP_ARGUMENT}']
    env: {API_KEY: '\${MCP_KEY}', PRIVATE_KEY: '\${MCP_PRIVATE_KEY}'}
    startTimeout: 20s
  remote: {url: '\${MCP_URL}', headers: {Authorization: 'Bearer \${MCP_TOKEN}'}}
`;

/** A model that repeats all headers for the model name `bad`, and otherwise calls every tool of the leaky server. */
function startModel(): Promise<ModelServer> {
  return serveModel((request, { headers }) => {
    if (request.model === 'bad') {
      const message = `Incorrect API key: ${headers.authorization}, ${headers['x-gateway']}, ${JSON.stringify(headers)}`;
      return { fault: { kind: 'status', status: 401, message } };
    }
    const turn = request.messages.filter(({ role }) => role === 'assistant').length + 1;
    if (turn === 1)
      return calls(['leaky_work'], ['leaky_fail'], ['leaky_refuse'], ['leaky_nonsense'], ['leaky_nothing']);
    return turn === 2 ? calls(['leaky_crash']) : text('all is said');
  });
}

/** A real server, a worker that logs everything, and the places where secrets are planted. */
export class SecretStage {
  private constructor(
    private readonly dir: string,
    private readonly env: { [name: string]: string },
    private readonly server: DevServer,
    readonly model: ModelServer,
    private readonly mcp: { close(): void },
    readonly worker: WorkerChild,
    readonly client: AgentClient,
  ) {}

  static async open(): Promise<SecretStage> {
    const dir = mkdtempSync(join(tmpdir(), 'holdfast-secrets-'));
    const [server, model] = await Promise.all([startDevServer({ ui: false }), startModel()]);
    // An MCP server that repeats the credentials that it refuses.
    const mcp = createServer((request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      const message = `no access with ${request.headers.authorization}`;
      response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32001, message } }));
    });
    await new Promise<void>((ready) => mcp.listen(0, '127.0.0.1', ready));
    const env = {
      ...SECRETS,
      MCP_URL: `http://127.0.0.1:${(mcp.address() as AddressInfo).port}/mcp`,
      TEMPORAL_ADDRESS: server.address,
    };
    writeFileSync(join(dir, 'agents.ts'), AGENTS);
    const file = join(dir, 'temporal.yaml');
    writeFileSync(file, config(model));
    const worker = await WorkerChild.start(file, env);
    const client = await AgentClient.connect({
      config: await loadConfig({ path: file, env: { ...process.env, ...env } }),
    });
    return new SecretStage(dir, env, server, model, mcp, worker, client);
  }

  /** Runs the command line in the folder of the configuration, and returns all its output. */
  holdfast(...args: string[]): Promise<string> {
    const options = { cwd: this.dir, env: { ...process.env, ...this.env, HOLDFAST_LOG: 'debug' } };
    return new Promise((done) => {
      execFile(process.execPath, [RUN_TS, MAIN, ...args], options, (_, out, err) => done(out + err));
    });
  }

  async close(): Promise<void> {
    await this.client.close();
    this.worker.terminate();
    await this.worker.end();
    this.mcp.close();
    await this.model.close();
    await this.server.stop();
    rmSync(this.dir, { recursive: true });
  }
}
