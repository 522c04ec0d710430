import { Client } from '@temporalio/client';
import { type Agent, defineAgent, defineTool } from 'holdfast';
import { AgentClient } from 'holdfast/client';
import { call, ScriptedModel, text } from 'holdfast/testing';
import { createWorker, type HoldfastWorker } from 'holdfast/worker';
import { z } from 'zod';
import type { Fact } from '../../agent/protocol/facts/fact';
import { loadConfig } from '../../runtime/config/config';
import { SILENT_LOG } from '../../runtime/log';
import { connect } from '../../runtime/temporal/connection';
import { installTemporalRuntime } from '../../runtime/temporal/log';
import { type DevServer, startDevServer } from '../../workers/dev/dev-server';
import { makeCurrent } from './make-current';

const NAME = 'desk';
const TASK_QUEUE = 'deployments';

/** The agent as a build has it: its tool tells which build runs it. */
const deskOf = (build: string) =>
  defineAgent({
    name: 'deployed.desk',
    mode: 'conversation',
    instructions: `Build ${build}.`,
    tools: {
      confirm: defineTool({
        description: 'x',
        approval: 'always',
        inputSchema: z.object({}),
        execute: () => `confirmed on ${build}`,
      }),
      build: defineTool({
        description: 'x',
        effect: 'read',
        inputSchema: z.object({}),
        execute: () => `ran on ${build}`,
      }),
    },
  });

/** A dev server, a model, a client, and a worker for each build of a deployment. */
export class TwoBuilds {
  readonly model = new ScriptedModel();
  readonly #workers = new Map<string, { worker: HoldfastWorker; ended: Promise<void> }>();

  private constructor(
    private readonly server: DevServer,
    readonly client: AgentClient,
  ) {}

  static async start(): Promise<TwoBuilds> {
    installTemporalRuntime({ log: SILENT_LOG });
    const server = await startDevServer({ ui: false });
    const { address, namespace } = server;
    const connection = await connect({ temporal: { address, namespace, taskQueue: TASK_QUEUE } });
    const client = new AgentClient(new Client({ connection, namespace }), {
      taskQueue: TASK_QUEUE,
      workerTimeout: 3000,
    });
    const builds = new TwoBuilds(server, client);
    await builds.model.start();
    return builds;
  }

  /** Starts the worker of a build, and makes the build the current one: the server knows it once its worker polls. */
  async deploy(build: string, versioning: 'pinned' | 'auto-upgrade'): Promise<void> {
    const { address, namespace } = this.server;
    const config = await loadConfig({ cwd: '/', env: {} });
    const temporal = { address, namespace, taskQueue: TASK_QUEUE };
    const worker = await createWorker({
      agents: [deskOf(build) as Agent],
      config: { ...config, temporal, worker: { ...config.worker, shutdownGrace: 100 } },
      deployment: { name: NAME, buildId: build, versioning },
      models: { default: { baseUrl: this.model.url, model: 'scripted', apiKey: 'none' } },
      logger: SILENT_LOG,
    });
    this.#workers.set(build, { worker, ended: worker.run() });
    await makeCurrent(this.client.temporal, { deploymentName: NAME, buildId: build, taskQueue: TASK_QUEUE });
  }

  async retire(build: string): Promise<void> {
    const { worker, ended } = this.#workers.get(build) ?? {};
    this.#workers.delete(build);
    worker?.shutdown();
    await ended;
  }

  desk(id: string) {
    return this.client.conversation('deployed.desk', { id, input: null });
  }

  /** A conversation that has answered once, on the build that is current. */
  async talking(id: string) {
    const chat = this.desk(id);
    this.model.script(call('build'), text('one'));
    await chat.answerTo(await chat.send('hello'));
    return chat;
  }

  /** What the model was told last: a tool says which build ran it. */
  get ranOn() {
    return this.model.requests.at(-1)?.body.messages.at(-1)?.content;
  }

  /** All facts of a conversation, which is closed first. */
  async factsToTheEnd(id: string): Promise<Fact[]> {
    const chat = this.desk(id);
    await chat.close();
    await chat.result();
    const facts: Fact[] = [];
    for await (const fact of chat.facts()) facts.push(fact);
    return facts;
  }

  /** Where commands find the server. */
  get place(): { address: string; taskQueue: string } {
    return { address: this.server.address, taskQueue: TASK_QUEUE };
  }

  /** The build that a run is on, as Temporal tells it. */
  async buildOf(id: string): Promise<string | undefined> {
    const { raw } = await this.client.temporal.workflow.getHandle(id).describe();
    const { deploymentVersion, version } = raw.workflowExecutionInfo?.versioningInfo ?? {};
    return deploymentVersion?.buildId ?? version ?? undefined;
  }

  async close(): Promise<void> {
    for (const build of [...this.#workers.keys()]) await this.retire(build);
    await this.model.close();
    await this.client.close();
    await this.server.stop();
  }
}
