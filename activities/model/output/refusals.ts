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

/** Whether a server refused to answer in the form that the request asks for. */
export function refusesOutput(error: unknown): boolean {
  return says(error, OUTPUT);
}

/** Whether a server refused schemas that name their dialect. */
export function refusesDialect(error: unknown): boolean {
  return says(error, /\$schema\b/);
}

function says(error: unknown, wording: RegExp): boolean {
  const signs = signsOf(error);
  return isAboutRequest(signs) && wording.test(`${signs.message} ${signs.code}`);
}

function isAboutRequest({ status, ...signs }: ErrorSigns): boolean {
  // An error within a stream has no status; its code says the same.
  if (status === undefined) return rowFor(signs).type === 'ModelRequestInvalid';
  if (!STATUSES.has(status)) return false;
  const { type } = rowFor({ ...signs, status });
  return type === 'ModelRequestInvalid' || type === 'ModelUnavailable' || type === 'ModelNotFound';
}
