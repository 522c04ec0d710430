import type { BasicTracerProvider, IdGenerator, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Log } from '../../agent/define/context';
import { type Protocol, protocolOf } from './settings';

/** Milliseconds between two warnings about the same failure. */
const QUIET = 60_000;

/**
 * OpenTelemetry's SDK, set up from its standard variables: endpoint, headers, protocol, certificates, sampler, limits,
 * batches, resource. It is loaded only here: a worker that makes no spans does not pay for it. It is loaded with
 * `require`, because `import()` fails in users' tests under jest.
 */
export function makeProvider(idGenerator: IdGenerator, log: Log): BasicTracerProvider {
  const sdk = require('@opentelemetry/sdk-trace-base') as typeof import('@opentelemetry/sdk-trace-base');
  const resources = require('@opentelemetry/resources') as typeof import('@opentelemetry/resources');
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  const exporter = withWarnings(makeExporter(protocolOf(process.env)), log);
  return new sdk.BasicTracerProvider({
    idGenerator,
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'holdfast' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
}

function makeExporter(protocol: Protocol): SpanExporter {
  switch (protocol) {
    case 'grpc': {
      const grpc =
        require('@opentelemetry/exporter-trace-otlp-grpc') as typeof import('@opentelemetry/exporter-trace-otlp-grpc');
      return new grpc.OTLPTraceExporter();
    }
    case 'http/json': {
      const json =
        require('@opentelemetry/exporter-trace-otlp-http') as typeof import('@opentelemetry/exporter-trace-otlp-http');
      return new json.OTLPTraceExporter();
    }
    case 'http/protobuf': {
      const proto =
        require('@opentelemetry/exporter-trace-otlp-proto') as typeof import('@opentelemetry/exporter-trace-otlp-proto');
      return new proto.OTLPTraceExporter();
    }
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
