import type { Transport } from '@modelcontextprotocol/client';

/** A transport that knows its server: how it ended, what its errors mean. */
export interface Link extends Transport {
  /** Resolves when the connection has ended, for whatever reason. */
  readonly gone: Promise<void>;
  /** See `OpenServer.stale`. */
  readonly stale: boolean;
  /** What happened, in one line without secrets. Takes note of errors after which the connection is of no more use. */
  explain(error: unknown): Promise<Explained>;
  /** It sends so much that nobody asked for that it is read slowly. */
  slow?: boolean;
  /** What the transport reports beside the answers. */
  onProblem?(error: Error): void;
}

export interface Explained {
  problem: string;
  advice?: string | undefined;
  /** The connection is of no more use for new requests. */
  stale?: boolean | undefined;
  /**
   * What became of a request that failed so: `unsent` is known not to have been worked on, `expired` too, since the
   * server no longer knows the session; `lost` may have been, and `unreadable` was answered with what is no answer.
   */
  fate: 'unsent' | 'expired' | 'lost' | 'unreadable';
}
