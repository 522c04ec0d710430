import type { Agent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { createWorker, type HoldfastWorker, type Outlet, type TelemetryOptions } from 'holdfast/worker';
import { loadConfig } from '../../runtime/config/config';
import { listenOtlp, type OtlpReceiver, type ReceivedSpan } from './otlp-receiver';

const NAMES = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_PROTOCOL', 'HOLDFAST_TRACE_CONTENT', 'HOLDFAST_LOG'];

/** A test environment whose workers send spans to a receiver of the test. */
export class TracedStage {
  #worker: { worker: HoldfastWorker; ended: Promise<void> } | undefined;

  private constructor(
    readonly kit: AgentTestEnvironment,
    readonly otlp: OtlpReceiver,
    private readonly agents: readonly Agent[],
    private readonly outlets: Readonly<Record<string, Outlet>>,
    private readonly before: readonly (readonly [string, string | undefined])[],
  ) {}

  static async open(agents: readonly Agent[], outlets: Readonly<Record<string, Outlet>> = {}): Promise<TracedStage> {
    const before = NAMES.map((name) => [name, process.env[name]] as const);
    const otlp = await listenOtlp();
    const kit = await createAgentTestEnvironment({ agents, outlets });
    await kit.stopWorker();
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = otlp.url;
    process.env.OTEL_EXPORTER_OTLP_PROTOCOL = 'http/json';
    process.env.HOLDFAST_LOG = 'silent';
    return new TracedStage(kit, otlp, agents, outlets, before);
  }

  /** Starts a worker in place of the previous one, which sends its last spans first. */
  async worker({ telemetry, maxCachedWorkflows }: WorkerSettings = {}): Promise<void> {
    await this.stopWorker();
    const { kit } = this;
    const config = await loadConfig({ cwd: '/', env: {} });
    const { worker: settings } = config;
    const worker = await createWorker({
      agents: this.agents,
      config: {
        ...config,
        worker: {
          ...settings,
          shutdownGrace: 100,
          ...(maxCachedWorkflows === undefined ? {} : { maxCachedWorkflows }),
        },
      },
      connection: kit.temporal.nativeConnection,
      taskQueue: kit.taskQueue,
      models: {
        default: {
          baseUrl: kit.model.url,
          model: 'scripted',
          apiKey: 'very-secret',
          prices: { prompt: 1_000_000, completion: 2_000_000 },
        },
      },
      bus: kit.bus,
      outlets: this.outlets,
      ...(telemetry === undefined ? {} : { telemetry }),
    });
    this.#worker = { worker, ended: worker.run() };
  }

  async stopWorker(): Promise<void> {
    const { worker, ended } = this.#worker ?? {};
    this.#worker = undefined;
    worker?.shutdown();
    await ended;
  }

  /** All spans so far: ends the worker, since it sends its last ones then. */
  async spans(): Promise<ReceivedSpan[]> {
    await this.stopWorker();
    return this.otlp.spans;
  }

  async close(): Promise<void> {
    await this.stopWorker();
    await this.kit.close();
    await this.otlp.close();
    for (const [name, value] of this.before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

interface WorkerSettings {
  telemetry?: TelemetryOptions;
  maxCachedWorkflows?: number;
}

/** Spans as lines `KIND name < parent`, sorted. */
export function tree(spans: readonly ReceivedSpan[]): string[] {
  const names = new Map(spans.map((span) => [span.spanId, span.name]));
  return spans
    .map(({ attributes, name, parentSpanId, status }) => {
      const parent = parentSpanId ? ` < ${names.get(parentSpanId) ?? parentSpanId}` : '';
      return `${attributes['openinference.span.kind']} ${name}${parent}${status.code === 2 ? ` ! ${status.message}` : ''}`;
    })
    .sort();
}
