import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { ModelConfig } from '../../agent/model/config';
import type { ModelSettings } from '../../agent/model/settings';
import type { JsonObject } from '../../agent/values/json';
import type { ModelReply } from '../kit/model-reply';

/** What a protocol may not have. Tests of it are then about what Holdfast does in its place. */
export type Feature =
  | 'call ids'
  | 'calls in pieces'
  /** Arguments are a text as the model wrote it, which may be broken JSON; else the provider parses them itself. */
  | 'arguments as text'
  | 'images in results'
  | 'reasoning'
  /** Something that the provider wants back with the reasoning. */
  | 'signature'
  | 'refusal'
  | 'usage'
  | 'cached usage'
  | 'structured output'
  | 'stop sequence';

/** A call, as a provider was shown it. */
export interface AskedCall {
  id: string;
  name: string;
  input: JsonObject;
}

/** A message, as a provider was shown it. Results of one answer may have come in one message: each is one here. */
export interface AskedMessage {
  role: 'user' | 'assistant' | 'tool';
  text: string;
  /** Media types of its images. */
  images: string[];
  /** Of an answer: the reasoning and its signature, or what the provider has in its place, as far as they are sent. */
  reasoning?: string;
  signature?: string;
  calls: AskedCall[];
  /** Of a result: the id of the call. */
  resultOf?: string;
}

/** What a provider was asked, whatever its protocol. */
export interface Asked {
  system: string;
  messages: AskedMessage[];
  tools: { name: string; description: string; inputSchema: JsonObject }[];
  /** JSON Schema of the answer, if the protocol was told of one. */
  output?: JsonObject;
  /** The request itself. */
  body: JsonObject;
  headers: IncomingHttpHeaders;
}

/**
 * The answer of a provider, whatever its protocol. `finishReason` is `length` or missing; each wire has its own word for
 * it. `usage.prompt` counts all tokens of the prompt, cached ones included.
 */
export interface WireReply extends ModelReply {
  /** The model refuses, in these words. */
  refusal?: string;
  /** What the provider wants back with the reasoning. */
  signature?: string;
  /** Tokens of the prompt that came from the provider's cache. */
  cached?: number;
}

/** The protocol of a provider, as its server speaks it. */
export interface Wire {
  name: string;
  lacks: readonly Feature[];
  /** A model behind a server of this protocol. Its key is `test-key-1234567890`. */
  model(url: string, settings?: ModelSettings): ModelConfig;
  /** Reads a request. */
  asked(body: JsonObject, headers: IncomingHttpHeaders): Asked;
  /**
   * Writes an answer: headers, pieces of `chunkSize` characters with `chunkDelay` between them, and the end. With a fault
   * of kind `cut`, `unfinished` or `stall` it stops after so many characters: the server does the rest. The calls of the
   * reply have ids, and its usage is set. A request that a provider would refuse is refused here.
   */
  send(reply: WireReply, asked: Asked, response: ServerResponse): Promise<void>;
  /** The body of an error. */
  error(status: number, said: { code?: string; message?: string }): JsonObject;
}
