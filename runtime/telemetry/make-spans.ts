import type { Context, SpanKind, Tracer } from '@opentelemetry/api';
import type { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../agent/define/context';
import { messageOf } from '../../agent/errors/error';
import type { TraceContext } from '../../agent/protocol/trace';
import { type ContentFilter, contentFilter } from './content-filter';
import { makeProvider } from './provider';
import { type TelemetryOptions, wantsTraces } from './settings';
import type { SpanRecord } from './span-record';

/** Span ids that a worker remembers, so that a repeated workflow task does not send its spans twice. */
const REMEMBERED = 10_000;
/** Milliseconds that sending the last spans may take when a worker ends. */
const LAST_SPANS = 5000;

type Api = typeof import('@opentelemetry/api');

/**
 * A worker's tracing; `undefined`, without loading anything, if the environment names no endpoint for it.
 */
export function openTracing(options: TelemetryOptions, log: Log): Tracing | undefined {
  if (!wantsTraces(process.env)) return undefined;
  const ids = new GivenIds();
  const provider = makeProvider(ids, log);
  const api = require('@opentelemetry/api') as Api;
  return new Tracing(api, provider, ids, contentFilter(options, log), log);
}

/** Supplies the ids of the next span: they are known before it is made. */
class GivenIds {
  next: TraceContext = { traceId: '', spanId: '', sampled: true };
  generateTraceId = () => this.next.traceId;
  generateSpanId = () => this.next.spanId;
}

/** Makes spans and sends them. */
export class Tracing {
  readonly #sent = new LRUCache<string, true>({ max: REMEMBERED });
  readonly #tracer: Tracer;

  constructor(
    private readonly api: Api,
    private readonly provider: BasicTracerProvider,
    private readonly ids: GivenIds,
    private readonly filter: ContentFilter,
    private readonly log: Log,
  ) {
    this.#tracer = provider.getTracer('holdfast');
  }

  /** Sends a span, once. Never throws. */
  record(span: SpanRecord): void {
    const { place, error } = span;
    if (!place.sampled || this.#sent.has(place.spanId)) return;
    this.#sent.set(place.spanId, true);
    try {
      const { message = '', ...content } = this.filter({ ...span.content, message: error?.message });
      this.ids.next = place;
      const made = this.#tracer.startSpan(
        span.name,
        {
          kind: this.#kind(span.kind),
          // As dates: a number below the start time of this process would be read as milliseconds since that start.
          startTime: new Date(span.start),
          // Content comes last: a span that is full loses what comes last.
          attributes: { ...withoutGaps(span.attributes), ...(error ? { 'error.type': error.type } : {}), ...content },
        },
        this.#above(place, span.parent),
      );
      const { ERROR } = this.api.SpanStatusCode;
      if (error !== undefined) made.setStatus({ code: ERROR, message: message || error.type });
      made.end(new Date(Math.max(span.start, span.end)));
    } catch (problem) {
      this.log.warn({ span: span.name, problem: messageOf(problem) }, 'A span could not be made');
    }
  }

  /** Whether the environment's sampler wants a trace that begins here. */
  samples(root: TraceContext): boolean {
    this.ids.next = root;
    return this.#tracer.startSpan('sample', { root: true }).isRecording();
  }

  /** Runs `work` so that spans of the user's own instrumentation belong to the span at `place`. */
  within<T>(place: TraceContext, work: () => T): T {
    const { context, trace } = this.api;
    return context.with(trace.setSpanContext(context.active(), this.#spanContext(place)), work);
  }

  /** Sends the remaining spans, for a few seconds at most. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LAST_SPANS);
    });
    const closed = this.provider.shutdown().catch((error: unknown) => {
      this.log.warn({ problem: messageOf(error) }, 'The last spans could not be sent');
    });
    await Promise.race([closed, late]);
    clearTimeout(timer);
  }

  #above(place: TraceContext, parent: string | undefined): Context {
    const { ROOT_CONTEXT, trace } = this.api;
    if (parent === undefined) return ROOT_CONTEXT;
    return trace.setSpanContext(ROOT_CONTEXT, this.#spanContext({ ...place, spanId: parent }));
  }

  #spanContext({ traceId, spanId, sampled }: TraceContext) {
    const { TraceFlags } = this.api;
    return { traceId, spanId, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
  }

  #kind(kind: SpanRecord['kind'] = 'internal'): SpanKind {
    const { SpanKind } = this.api;
    return { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER }[kind];
  }
}

function withoutGaps<Value>(values: { readonly [name: string]: Value | undefined }): { [name: string]: Value } {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}
