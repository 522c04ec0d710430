/** An embedding model behind a server with OpenAI's API: `POST <baseUrl>/embeddings`. Most servers have it. */
export interface EmbeddingServer {
  /** URL of the API, such as `https://api.openai.com/v1`. */
  baseUrl: string;
  /** The server's name of the model. */
  model: string;
  /** Sent as a bearer token. Servers without accounts need none. */
  apiKey?: string;
  /** Sent with every request, in addition to the key. */
  headers?: { readonly [name: string]: string };
  /** Comes before what is searched for, as some models want it: `query: `. Default: nothing. */
  queryPrefix?: string;
  /** Comes before the text of a tool: `passage: `. Default: nothing. */
  toolPrefix?: string;
  /** Milliseconds that one request may take. Default 5,000. */
  timeout?: number;
}

/** An embedding model that runs in the worker. `npm run fetch:embedder` installs what it needs. */
export interface LocalEmbeddings {
  /** all-MiniLM-L6-v2, 23 MB, for English. */
  local: 'minilm';
}

/**
 * An embedding model of the AI SDK, as `openai.embedding('…')` and other providers return it: the part of its
 * specification that Holdfast uses.
 */
export interface AiSdkEmbeddingModel {
  /** The provider, such as `openai.embedding`. */
  readonly provider: string;
  /** The provider's name of the model. */
  readonly modelId: string;
  /** Texts that one call may have. */
  readonly maxEmbeddingsPerCall?: number | undefined | PromiseLike<number | undefined>;
  /** Makes one call. `never` accepts the options of every version. */
  doEmbed(options: never): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
}

/** What can rank tools by meaning. */
export type EmbeddingModel = EmbeddingServer | LocalEmbeddings | AiSdkEmbeddingModel;
