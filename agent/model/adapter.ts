import type { JsonSchema } from '../protocol/manifest';
import type { JsonObject } from '../values/json';
import type { Usage } from './cost/usage';
import type { ContentPart, MediaPart, ReasoningPart, TextPart } from './message';
import type { ModelSettings, ToolChoice } from './settings';
import type { StructuredOutput } from './structured-output';

/** A call in the transcript that a model is shown. */
export interface ModelToolCall {
  /** The kind of part. */
  type: 'call';
  /** Names the call for its result; no other call of the request has it. */
  id: string;
  /** The tool, as the model knows it. */
  name: string;
  /** The arguments. */
  input: JsonObject;
  /** What the adapter gave with the call, if this model gave it. */
  providerData?: JsonObject;
}

/** One message of a request. Each result of a call is a message. */
export type ModelMessage =
  | { role: 'user'; content: ContentPart[] }
  | {
      role: 'assistant';
      content: (TextPart | ReasoningPart | MediaPart | ModelToolCall)[];
      /** What the adapter gave with the answer, if this model gave it. */
      providerData?: JsonObject;
      /** The field of a chat completion in which this model gave its reasoning. */
      reasoningField?: string;
    }
  | { role: 'tool'; id: string; name: string; content: ContentPart[]; isError?: true };

/** A tool, as a model is told of it. */
export interface ModelTool {
  /** 1 to 64 letters, digits, `_` and `-`. */
  name: string;
  /** What it does, for the model. */
  description: string;
  /** JSON Schema of its arguments, an object. */
  inputSchema: JsonSchema;
}

/** One model call, as an adapter gets it: the same for every provider. */
export interface ModelRequest {
  /** The provider's name of the model. */
  model: string;
  /** The system prompt. */
  system?: string;
  /** The transcript, as far as it is sent. */
  messages: ModelMessage[];
  /** What the model may call. */
  tools: ModelTool[];
  /** `none`: tools are in the request for the provider's cache, but may not be called. */
  toolChoice?: ToolChoice;
  /** `false` asks for one call at a time. */
  parallelToolCalls?: boolean;
  /** The form of the last answer: JSON that fits a schema, or any JSON. Missing: a text. */
  output?: { type: 'schema'; schema: JsonSchema } | { type: 'json_object' };
  /**
   * Its last message has sections that only this call sends: the prefix that the next call shares ends before it.
   */
  turnMessage?: true;
  /** How the model answers, from the agent and the configuration. */
  settings: ModelSettings;
  /** HTTP headers of this call, such as `traceparent`. */
  headers: { readonly [name: string]: string };
}

/** A piece of an answer, in the order in which the provider sends them. */
export type ModelPart =
  | { type: 'text'; text: string }
  /**
   * Reasoning, as far as the provider shows it. Pieces with the same `id` are one part, whatever comes between them.
   * `providerData` is sent back to the same model; `field` is the field of a chat completion that it came in.
   */
  | { type: 'reasoning'; text: string; id?: string; providerData?: JsonObject; field?: string }
  /**
   * A piece of a call. Pieces of one call have the same `index`, or the same `id`, or follow each other. `arguments` is
   * JSON in pieces, or an object.
   */
  | {
      type: 'call';
      index?: number;
      id?: string;
      name?: string;
      arguments?: string | JsonObject;
      providerData?: JsonObject;
    }
  /** The model refuses to answer, in its words. */
  | { type: 'refusal'; text: string }
  /** What the adapter needs to continue: it is merged, kept with the answer, and sent back to the same model. */
  | { type: 'data'; data: JsonObject }
  /** The provider's name of the model that answers. */
  | { type: 'model'; model: string }
  /** Tokens of the call. */
  | { type: 'usage'; usage: Usage }
  /** The end, with the provider's word for it. Without it, an answer counts as broken off, and is requested again. */
  | { type: 'finish'; reason: FinishReason; said?: string };

/** Why an answer ends: it is whole, its length is used up, the model or a filter refused, or the provider failed. */
export type FinishReason = 'stop' | 'length' | 'refused' | 'failed';

/** How an adapter reports to its caller, and what ends it. */
export interface ModelCall {
  /** Ends the call: the request is aborted, and its socket is closed. */
  signal: AbortSignal;
  /** Tells that the provider has begun to answer. */
  connected(): void;
  /** Tells that the provider sends something. Parts are such a sign, too. */
  alive(): void;
}

/** What arrived together: the parts of each event, such as a chunk of a stream. */
export type AnswerEvents = readonly (readonly ModelPart[])[];

/** What speaks with a provider. */
export interface ModelAdapter {
  /** Its kind, such as `chat` or `ai-sdk`. */
  readonly kind: string;
  /** The provider, such as `anthropic.messages`, or the address of a server. It is shown in errors and traces. */
  readonly provider: string;
  /**
   * Where its requests go, if it knows and `provider` does not say it: what one server gave for itself goes to no other.
   */
  readonly server?: string;
  /** How models are asked for JSON if their configuration does not say it. Default `schema`. */
  readonly structuredOutput?: StructuredOutput;
  /** Settings that it cannot send. Default: it sends all of them. */
  readonly unsent?: readonly (keyof ModelSettings)[];
  /** It marks the prefixes of a request that the provider is to cache. Default: the provider finds them itself. */
  readonly marksPrefixes?: boolean;
  /** Texts that must not appear in errors, such as keys. */
  secrets?(): readonly string[];
  /**
   * Makes one call. Events that arrive together are yielded together.
   * @throws ModelServerError for an answer that is an error
   */
  stream(request: ModelRequest, call: ModelCall): AsyncIterable<AnswerEvents>;
}
