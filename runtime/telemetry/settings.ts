type Environment = { readonly [name: string]: string | undefined };

/** What spans contain beside names, times, tokens and cost. */
export interface TelemetryOptions {
  /**
   * Messages, arguments, results, error texts and names of people are part of the spans. Default: only if the
   * environment has `HOLDFAST_TRACE_CONTENT=true`.
   */
  content?: boolean;
  /**
   * Gets each such attribute before it is sent, and returns what to send instead; `undefined` leaves it out. If it
   * throws, the attribute is left out. It must be fast.
   */
  redact?(attribute: string, value: string): string | undefined;
}

/** How spans travel: OTLP over HTTP, as protobuf or JSON, or over gRPC. */
export type Protocol = 'http/protobuf' | 'http/json' | 'grpc';

/** Whether the standard variables name an endpoint for traces, and nothing switches them off. */
export function wantsTraces(env: Environment): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  const exporters = (env.OTEL_TRACES_EXPORTER || 'otlp').split(',').map((name) => name.trim());
  if (!exporters.includes('otlp')) return false;
  return Boolean(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT);
}

/** The protocol that the environment selects; by default `http/protobuf`, which every receiver knows. */
export function protocolOf(env: Environment): Protocol {
  const asked = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL;
  return asked === 'http/json' || asked === 'grpc' ? asked : 'http/protobuf';
}

/** Whether spans contain content: the program's option overrides the environment. */
export function wantsContent({ content }: TelemetryOptions, env: Environment): boolean {
  return content ?? env.HOLDFAST_TRACE_CONTENT?.toLowerCase() === 'true';
}
