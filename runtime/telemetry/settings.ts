type Environment = { readonly [name: string]: string | undefined };

/** What spans carry beside names, times, tokens and cost. */
export interface TelemetryOptions {
  /**
   * Messages, arguments, results, texts of errors and names of persons are part of the spans. Default: only where the
   * environment says `HOLDFAST_TRACE_CONTENT=true`.
   */
  content?: boolean;
  /**
   * Sees each such attribute before it is sent, and gives what is sent in its place; `undefined` leaves it out. Where it
   * throws, the attribute is left out. It must be quick.
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

/** The protocol that the environment asks for; `http/protobuf`, which every receiver knows, where it asks for none. */
export function protocolOf(env: Environment): Protocol {
  const asked = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL;
  return asked === 'http/json' || asked === 'grpc' ? asked : 'http/protobuf';
}

/** Whether spans carry content: what the program says wins over the environment. */
export function wantsContent({ content }: TelemetryOptions, env: Environment): boolean {
  return content ?? env.HOLDFAST_TRACE_CONTENT?.toLowerCase() === 'true';
}
