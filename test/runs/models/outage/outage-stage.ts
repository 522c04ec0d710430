import { defineAgent, type Fact } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, ScriptedModel, text } from 'holdfast/testing';
import { factsOf } from '../../../facts';
import { type ModelServer, serveModel } from '../../../kit/model-server';

export const plain = defineAgent({ name: 'outage.plain', model: 'flaky' });
export const brief = defineAgent({ name: 'outage.brief', model: 'brief' });
export const chain = defineAgent({ name: 'outage.chain', model: ['flaky', 'other'] });
export const careful = defineAgent({ name: 'outage.careful', model: 'flaky', fallbackAnswer: 'sorry' });
export const chat = defineAgent({ name: 'outage.chat', model: 'flaky', mode: 'conversation' });

/** A time-skipping environment with a model that is up or down as a test says. */
export class OutageStage {
  /** What the model answers while it is down. Missing: it is up. */
  down: { status: number; headers?: { [name: string]: string } } | undefined;
  /** When it is up again, by the server's clock. */
  #end = Number.POSITIVE_INFINITY;
  requests = 0;
  readonly other = new ScriptedModel();

  private constructor(
    readonly kit: AgentTestEnvironment,
    readonly flaky: ModelServer,
  ) {}

  static async open(): Promise<OutageStage> {
    let stage: OutageStage | undefined;
    const flaky = await serveModel(async () => {
      if (stage !== undefined) {
        stage.requests++;
        if ((await stage.kit.temporal.currentTimeMs()) >= stage.#end) stage.down = undefined;
      }
      return stage?.down === undefined ? text('Back.') : { fault: { kind: 'status', ...stage.down } };
    });
    const other = await new ScriptedModel().start();
    const config = { baseUrl: flaky.url, model: 'flaky' };
    const kit = await createAgentTestEnvironment({
      agents: [plain, brief, chain, careful, chat],
      models: { flaky: config, brief: { ...config, patience: 600_000 }, other: { baseUrl: other.url, model: 'other' } },
    });
    stage = new OutageStage(kit, flaky);
    Object.assign(stage, { other });
    return stage;
  }

  reset(): void {
    this.down = undefined;
    this.#end = Number.POSITIVE_INFINITY;
    this.requests = 0;
    this.other.reset();
  }

  async close(): Promise<void> {
    await Promise.all([this.kit.close(), this.flaky.close(), this.other.close()]);
  }

  /** Starts a run with an outage of `minutes` of the server's time, and returns what it ended with. */
  async outlast(agent: typeof plain, minutes: number, headers: { [name: string]: string } = {}) {
    this.#end = (await this.kit.temporal.currentTimeMs()) + minutes * 60_000;
    this.down = { status: Object.keys(headers).length === 0 ? 503 : 429, headers };
    const run = await this.kit.start(agent, { input: 'go' });
    const result: unknown = await run.result().then(
      ({ data }) => data,
      (error: unknown) => error,
    );
    return { run, result, events: (await this.kit.history(run)).events?.length ?? 0 };
  }
}

/** The planned length of each wait, in seconds. */
export async function waitsOf(run: { facts(): AsyncIterable<Fact> }): Promise<number[]> {
  const facts = await factsOf(run);
  return facts.flatMap((fact) => (fact.type === 'model.waiting' ? [Math.round((fact.nextAt - fact.time) / 1000)] : []));
}
