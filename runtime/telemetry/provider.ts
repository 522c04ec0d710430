import type { BasicTracerProvider, IdGenerator, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Log } from '../../agent/define/context';
import { type Protocol, protocolOf } from './settings';

/** Milliseconds between two warnings about the same failure. */
const QUIET = 60_000;

/**
 * OpenTelemetry's SDK, set up from its standard variables: endpoint, headers, protocol, certificates, sampler, limits,
 * batches, resource. It is loaded only here: a worker that makes no spans does not pay for it.
 */
export async function makeProvider(idGenerator: IdGenerator, log: Log): Promise<BasicTracerProvider> {
  const sdk = await import('@opentelemetry/sdk-trace-base');
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import(
    '@opentelemetry/resources'
  );
  const exporter = withWarnings(await makeExporter(protocolOf(process.env)), log);
  return new sdk.BasicTracerProvider({
    idGenerator,
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'holdfast' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
}

async function makeExporter(protocol: Protocol): Promise<SpanExporter> {
  switch (protocol) {
    case 'grpc':
      return new (await import('@opentelemetry/exporter-trace-otlp-grpc')).OTLPTraceExporter();
    case 'http/json':
      return new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter();
    case 'http/protobuf':
      return new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter();
  }
}

/** A worker keeps working when spans are lost, but operators should know. */
function withWarnings(exporter: SpanExporter, log: Log): SpanExporter {
  let quietUntil = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== 0 && Date.now() >= quietUntil) {
          quietUntil = Date.now() + QUIET;
          log.warn({ spans: spans.length, problem: result.error?.message }, 'Spans could not be sent');
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
