import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, createAgentTestEnvironment, type TestEnvironmentOptions } from 'holdfast/testing';
import { workflowBundle } from '../../workers/bundle/bundle';
import { until } from '../until';

/** The outcome of a command to a run: its answer, or the name of the refusal. */
export type Told = { taken: unknown } | { refused: string };

/**
 * Runs activities on one worker and workflows on another that can stop: commands that arrive meanwhile reach a run in
 * one workflow task.
 */
export class Decider {
  #worker: { worker: Worker; ended: Promise<void> } | undefined;

  private constructor(
    readonly kit: AgentTestEnvironment,
    private readonly connection: NativeConnection,
    private readonly cache: number,
  ) {}

  /** @param cache runs that it keeps in memory; 0: each task is replayed from the beginning */
  static async open(options: TestEnvironmentOptions, cache: number): Promise<Decider> {
    const create = jest.spyOn(Worker, 'create').mockImplementationOnce((given: WorkerOptions) => {
      const { workflowBundle: _, ...activities } = given;
      create.mockRestore();
      return Worker.create(activities);
    });
    const kit = await createAgentTestEnvironment(options);
    const decider = new Decider(kit, await NativeConnection.connect({ address: kit.temporal.address }), cache);
    await decider.start();
    return decider;
  }

  async start(): Promise<void> {
    const worker = await Worker.create({
      connection: this.connection,
      taskQueue: this.kit.taskQueue,
      workflowBundle: await workflowBundle(),
      maxCachedWorkflows: this.cache,
      stickyQueueScheduleToStartTimeout: 200,
      shutdownGraceTime: 100,
    });
    this.#worker = { worker, ended: worker.run() };
  }

  async stop(): Promise<void> {
    const { worker, ended } = this.#worker ?? {};
    this.#worker = undefined;
    worker?.shutdown();
    await ended;
  }

  /**
   * Sends the messages one after the other while no worker decides; `told` sends a message, whose answer comes later.
   */
  async atOnce(work: (told: (message: () => Promise<unknown>) => Promise<void>) => Promise<void>): Promise<Told[]> {
    await this.stop();
    const messages: Promise<Told>[] = [];
    await work(async (message) => {
      messages.push(
        message().then(
          (taken) => ({ taken }),
          (error: { type?: string }) => ({ refused: error.type ?? String(error) }),
        ),
      );
      // An update that no worker has seen is not visible: the delay only orders it before the next.
      await delay(30);
    });
    await this.start();
    return Promise.all(messages);
  }

  /** Waits until no activity of a run is in progress: its result waits for a workflow task. */
  async quiet(run: Pick<RunHandle, 'workflow'>): Promise<void> {
    const { workflow } = run;
    await until(async () => ((await workflow.describe()).raw.pendingActivities ?? []).length === 0, 'the activities');
  }

  async close(): Promise<void> {
    await this.stop();
    await this.kit.close();
    await this.connection.close();
  }
}
