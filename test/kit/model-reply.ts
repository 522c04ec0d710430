import type { Json, JsonObject } from '../../agent/json';

/** A call as a scripted model makes it. */
export interface ReplyCall {
  name: string;
  /** An object, or the raw text of the arguments, broken JSON included. */
  arguments: JsonObject | string;
  /** The provider's id; default `call_<n>`. An empty text is sent as such. */
  id?: string;
}

/** What goes wrong with a reply. */
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
  text?: string;
  reasoning?: string;
  calls?: ReplyCall[];
  /** Default `tool_calls` where there are calls, else `stop`. */
  finishReason?: string;
  usage?: { prompt: number; completion: number };
  /** Milliseconds before the first chunk. */
  delay?: number;
  /** Milliseconds between chunks of text. */
  chunkDelay?: number;
  /** Characters of each chunk of text or arguments. Default 20. */
  chunkSize?: number;
  fault?: ReplyFault;
}

/** A request as it arrives at a scripted model: OpenAI's chat completion. */
export interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  tools?: { type: 'function'; function: { name: string; description?: string; parameters: JsonObject } }[];
  tool_choice?: Json;
  response_format?: JsonObject;
  stream?: boolean;
}

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content?: string | { type: string; text?: string; [key: string]: Json | undefined }[] | null;
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}
