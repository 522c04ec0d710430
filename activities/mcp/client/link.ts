import type { Transport } from '@modelcontextprotocol/client';
import type { IdleTime } from './traffic/idle-time';

/** A transport that knows its server: how it ended, and what its errors mean. */
export interface Link extends Transport {
  /** Resolves when the connection has ended, for whatever reason. */
  readonly gone: Promise<void>;
  /** See `OpenServer.stale`. */
  readonly stale: boolean;
  /** What happened, in one line without secrets. Also notes errors after which the connection is useless. */
  explain(error: unknown): Promise<Explained>;
  /** The server sends so many unsolicited messages that it is read slowly. */
  slow?: boolean;
  /** What was wrong with a message that was too large, where its stream ended with it. */
  tooLarge?: string | undefined;
  /** When all that it sent was read. */
  readonly idle?: IdleTime;
  /** It speaks the protocol of 2026, but told so only after it was asked for the older handshake too. */
  answeredLate?: boolean;
  /** Called with problems that the transport reports beside the answers. */
  onProblem?(error: Error): void;
}

export interface Explained {
  problem: string;
  advice?: string | undefined;
  /** The same request would fail again in the same way. */
  lasting?: boolean | undefined;
  /** The connection cannot be used for new requests. */
  stale?: boolean | undefined;
  /**
   * What became of a request that failed in this way: `unsent` was certainly not processed, `expired` neither, since
   * the server no longer knows the session; `lost` may have been processed, and `unreadable` got an invalid answer.
   */
  fate: 'unsent' | 'expired' | 'lost' | 'unreadable';
}
