import type { Json, JsonObject } from '../../agent/values/json';

/** A call that a scripted model makes. */
export interface ReplyCall {
  /** The name that the model uses, such as `files_read_file` for `files.read_file`. */
  name: string;
  /** An object, or the raw text of the arguments, broken JSON included. */
  arguments: JsonObject | string;
  /** The provider's id; default `call_<n>`. An empty text is sent as such. */
  id?: string;
}

/** The faults of a reply. */
export type ReplyFault =
  /** An HTTP error with a JSON body of OpenAI's shape. */
  | { kind: 'status'; status: number; code?: string; message?: string; headers?: { [name: string]: string } }
  /** A page instead of an answer, with status 200. */
  | { kind: 'html' }
  /** The socket is destroyed after so many characters of text. */
  | { kind: 'cut'; after: number }
  /** The stream ends in order after so many characters, without a finish_reason. */
  | { kind: 'unfinished'; after: number }
  /** Nothing more comes after so many characters, and the socket stays open. */
  | { kind: 'stall'; after: number }
  /** Half a chunk of JSON, then the end. */
  | { kind: 'half-chunk' }
  /** A valid stream whose choices are empty. */
  | { kind: 'no-choices' };

/** One answer of a scripted model. */
export interface ModelReply {
  /** The text of the answer. */
  text?: string;
  /** Its reasoning, sent as `reasoning_content`. */
  reasoning?: string;
  /** The tools that it calls. */
  calls?: ReplyCall[];
  /** Default `tool_calls` if there are calls, else `stop`. */
  finishReason?: string;
  /** Tokens. Default: a quarter of the characters. */
  usage?: { prompt: number; completion: number };
  /** Milliseconds before the first chunk. */
  delay?: number;
  /** Milliseconds between chunks of text. */
  chunkDelay?: number;
  /** Characters of each chunk of text or arguments. Default 20. */
  chunkSize?: number;
  /** The fault of this reply. */
  fault?: ReplyFault;
}

/** A request as it arrives at a scripted model: OpenAI's chat completion. */
export interface ChatRequest {
  /** The provider's name of the model; `scripted` in a test environment. */
  model: string;
  /** The whole transcript, system prompt first. */
  messages: ChatMessage[];
  /** The tools that may be called. */
  tools?: { type: 'function'; function: { name: string; description?: string; parameters: JsonObject } }[];
  /** `none` in the call that has to conclude. */
  tool_choice?: Json;
  /** `false` if an agent asks for one call at a time. */
  parallel_tool_calls?: boolean;
  /** The JSON Schema of the output, if the agent has one. */
  response_format?: JsonObject;
  /** Holdfast always streams. */
  stream?: boolean;
}

/** A message in the form of OpenAI's API. */
export interface ChatMessage {
  /** The sender; results of tools have the role `tool`. */
  role: 'system' | 'user' | 'assistant' | 'tool';
  /** A text, or parts if there are media. */
  content?: string | { type: string; text?: string; [key: string]: Json | undefined }[] | null;
  /** The calls of an assistant message. */
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  /** Id of the call that a `tool` message answers. */
  tool_call_id?: string;
}
