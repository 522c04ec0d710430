import type { ApplicationFailure } from '@temporalio/common';
import { type ErrorSigns, rowFor, signsOf } from '../failures/error-table';

/**
 * How a refusal of an output format is worded by OpenAI, Azure, vLLM, SGLang, llama-server, Ollama, LM Studio, DeepSeek,
 * Groq, Mistral, Cerebras, DeepInfra, Anthropic, Gemini, Bedrock, LiteLLM and OpenRouter. With the last but two, the
 * server found that the answer is not the JSON that it should be: asked in another way, the model reads why.
 */
const OUTPUT =
  /response[ _-]?(format|schema|mime)|responseJsonSchema|json[_ ](schema|object|mode)|structured[ _-]outputs?|text\.format|output[_ ](format|config)|guided[_ ](json|decoding|grammar)|(parse|parsing|invalid) grammar|invalid format: expected|failed to (validate|generate) json|json_validate_failed|can handle the requested parameters/i;

/** Ollama and old versions of llama-server call such a request an error of their own. */
const STATUSES: ReadonlySet<number> = new Set([400, 404, 405, 415, 422, 500, 501]);

/** Gemini names the place of the schema, too, such as `generation_config.response_schema`. */
const DIALECT = /\$schema\b/;

/**
 * How Kimi, DeepSeek, Gemini and Claude word it that a call came without the thought, or the signature, that led to it. A
 * server that does not know the field has other words.
 */
const THOUGHTS =
  /reasoning_content\b.{0,40}\b(is missing|must be passed)|missing .{0,3}reasoning_content|missing a .?thought_?signature|expected .?thinking.? or .?redacted_thinking|must start with a thinking block/i;

/** What a server refused in a request. */
export interface Refusal {
  /** To answer in the form that the request asks for. */
  output: boolean;
  /** Schemas that name their dialect. */
  dialect: boolean;
  /** Calls without the thoughts that led to them. */
  thoughts: boolean;
}

/** The server refused what a request asks of it, before it answered anything. */
export class TermsRefused extends Error {
  override readonly name = 'TermsRefused';

  /** @param failure the failure of the call if the server cannot be asked in another way */
  constructor(
    readonly refusal: Refusal & { why: string },
    readonly failure: ApplicationFailure,
  ) {
    super(failure.message);
  }
}

/** What the server refused, if the error says so. */
export function refusalOf(error: unknown): Refusal | undefined {
  const signs = signsOf(error);
  const said = `${signs.message} ${signs.code}`;
  const refusal = { output: OUTPUT.test(said), dialect: DIALECT.test(said), thoughts: THOUGHTS.test(said) };
  return Object.values(refusal).includes(true) && isAboutRequest(signs) ? refusal : undefined;
}

function isAboutRequest({ status, ...signs }: ErrorSigns): boolean {
  // An error within a stream has no status; its code says the same.
  if (status === undefined) return rowFor(signs).type === 'ModelRequestInvalid';
  if (!STATUSES.has(status)) return false;
  const { type } = rowFor({ ...signs, status });
  return type === 'ModelRequestInvalid' || type === 'ModelUnavailable' || type === 'ModelNotFound';
}
