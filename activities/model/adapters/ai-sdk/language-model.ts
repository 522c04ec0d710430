/**
 * A language model of the AI SDK, as `anthropic('…')`, `google('…')` and every other `@ai-sdk/*` provider returns it:
 * the part of its specification that Holdfast uses. The types of a provider's package fit without a cast.
 */
export interface AiSdkModel {
  /** The version of the specification: `v2`, `v3` or `v4`. */
  readonly specificationVersion: string;
  /** The provider, such as `anthropic.messages`. */
  readonly provider: string;
  /** The provider's name of the model. */
  readonly modelId: string;
  /**
   * The addresses that it opens itself, by media type or a pattern such as `image/*`. Missing: it takes addresses of
   * images only.
   */
  readonly supportedUrls?: SupportedUrls | PromiseLike<SupportedUrls>;
  /** Makes one call. It must not retry: Temporal does. `never` accepts the options of every version. */
  doStream(options: never): PromiseLike<AiSdkStream>;
}

/** Patterns of addresses in lower case, by media type. */
export type SupportedUrls = { readonly [mediaType: string]: readonly RegExp[] };

/** What `doStream` resolves with. */
export interface AiSdkStream {
  /** The parts of the answer, read by a reader. */
  readonly stream: {
    getReader(): {
      read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
      cancel(reason?: unknown): Promise<void>;
    };
  };
  /** The HTTP response, if there is one. */
  readonly response?: { readonly headers?: { readonly [name: string]: string | undefined } };
}

/** Versions of the specification that Holdfast speaks. They differ in how they write media. */
export const SPECIFICATIONS = ['v2', 'v3', 'v4'] as const;

/** A version of the specification that Holdfast speaks. */
export type Specification = (typeof SPECIFICATIONS)[number];
