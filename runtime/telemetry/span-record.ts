import type { SpanError } from '../../agent/protocol/span';
import type { TraceContext } from '../../agent/protocol/trace';

export type AttributeValue = string | number | boolean | string[];

/** A span that has ended: ids are given, never drawn, so that whoever makes it again makes the same. */
export interface SpanRecord {
  /** Its own place. */
  place: TraceContext;
  /** Id of the span above it; without one it is the root of its trace. */
  parent?: string;
  name: string;
  /** `client` asks another process and waits, `producer` sends and does not. */
  kind?: 'internal' | 'client' | 'producer';
  /** Milliseconds since 1970. */
  start: number;
  /** Milliseconds since 1970. */
  end: number;
  attributes: { readonly [name: string]: AttributeValue | undefined };
  /** What is sent only where content is wanted, after the redaction hook. */
  content: { readonly [name: string]: string | undefined };
  error?: SpanError;
}
