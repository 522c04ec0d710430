import type { JsonSchema } from '../../../../../agent/protocol/manifest';
import type { JsonObject } from '../../../../../agent/values/json';

/** Options for one provider, by its name: `{ anthropic: { signature: '…' } }`. */
export type ProviderOptions = { readonly [provider: string]: JsonObject };

/** Where an answer keeps what its provider gave with its only text: `providerData` of the message. */
export const TEXT_DATA = 'text';

/** The same for several texts: a list of `{ length, data }`, in their order. */
export const TEXTS_DATA = 'texts';

interface Marked {
  providerOptions?: ProviderOptions;
}

type Tagged = { type: 'data'; data: string } | { type: 'url'; url: URL };

/** Media. Up to v3 `data` is base64 or an address; v4 says which of them. */
export interface FilePart extends Marked {
  type: 'file';
  data: string | URL | Tagged;
  mediaType: string;
  filename?: string;
}

/** A piece of a result that is not only text. */
export type ResultPiece =
  | { type: 'text'; text: string }
  | { type: 'media'; data: string; mediaType: string }
  | { type: 'image-data' | 'file-data'; data: string; mediaType: string; filename?: string }
  | { type: 'image-url' | 'file-url'; url: string; mediaType?: string }
  | FilePart;

export interface TextPart extends Marked {
  type: 'text';
  text: string;
}

export interface ToolResult extends Marked {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: { type: 'text' | 'error-text'; value: string } | { type: 'content'; value: ResultPiece[] };
}

export type AssistantPart =
  | TextPart
  | ({ type: 'reasoning'; text: string } & Marked)
  | ({ type: 'tool-call'; toolCallId: string; toolName: string; input: JsonObject } & Marked);

/** A message in the form of the AI SDK's specification. */
export type PromptMessage = Marked &
  (
    | { role: 'system'; content: string }
    | { role: 'user'; content: (TextPart | FilePart)[] }
    | { role: 'assistant'; content: AssistantPart[] }
    | { role: 'tool'; content: ToolResult[] }
  );

/** A tool in the form of the AI SDK's specification. */
export interface FunctionTool extends Marked {
  type: 'function';
  name: string;
  description: string;
  inputSchema: JsonSchema;
}

/** The options of one call, in the form of the AI SDK's specification. */
export interface CallOptions {
  prompt: PromptMessage[];
  tools?: FunctionTool[];
  toolChoice?: { type: 'auto' | 'none' | 'required' } | { type: 'tool'; toolName: string };
  responseFormat?: { type: 'json'; schema?: JsonSchema; name?: string };
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  stopSequences?: string[];
  seed?: number;
  /** Only v4. */
  reasoning?: string;
  headers?: { readonly [name: string]: string };
  providerOptions?: ProviderOptions;
  abortSignal: AbortSignal;
  /** Every event that the provider sends becomes a part: it is a sign of life, also if it says nothing. */
  includeRawChunks: true;
}
