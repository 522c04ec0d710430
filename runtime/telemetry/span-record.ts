import type { SpanError } from '../../agent/protocol/span';
import type { TraceContext } from '../../agent/protocol/trace';

export type AttributeValue = string | number | boolean | string[];

/** A span that has ended. Its ids are given, not random, so that making it again gives the same span. */
export interface SpanRecord {
  /** Its own trace context. */
  place: TraceContext;
  /** Id of the span above it; without one it is the root of its trace. */
  parent?: string;
  name: string;
  /** `client` calls another process and waits, `producer` sends and does not wait. */
  kind?: 'internal' | 'client' | 'producer';
  /** Milliseconds since 1970. */
  start: number;
  /** Milliseconds since 1970. */
  end: number;
  attributes: { readonly [name: string]: AttributeValue | undefined };
  /** Sent only if content is wanted, after the redaction hook. */
  content: { readonly [name: string]: string | undefined };
  error?: SpanError;
}
