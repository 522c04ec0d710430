import { isJsonObject, type Json, type JsonObject } from '../../../../agent/values/json';
import { excessOf } from '../../../json-extent';

/** Characters of what a provider or a model said that are added to an error's message. */
const EXCERPT = 1000;

/** An error in OpenAI's form, from the body of any server: its `error`, or one of the forms that others have. */
export function errorIn(json: unknown): JsonObject | undefined {
  const value = Array.isArray(json) ? json[0] : json;
  if (!isJsonObject(value)) return undefined;
  const { error, message, errors, fault } = value;
  if (isJsonObject(error)) return explained(error);
  if (isText(error)) return { ...value, message: error };
  // vLLM; Mistral's lists what is wrong.
  if (isText(message)) return explained(value);
  if (isJsonObject(message)) return { ...value, message: textOf(message.detail ?? message) };
  // Cloudflare.
  const first = Array.isArray(errors) ? errors[0] : undefined;
  if (first !== undefined) return isJsonObject(first) ? first : { message: textOf(first) };
  // FastAPI, AWS, Apigee, Baidu, gateways.
  const said = value.detail ?? value.Message ?? (isJsonObject(fault) ? fault.faultstring : fault);
  const other = said ?? value.error_msg ?? value.msg;
  return other === undefined ? undefined : { ...value, message: textOf(other) };
}

/** The error that a server sends with status 200, if `json` is one: in a field, in a response that failed, or itself. */
export function sentErrorIn(json: unknown): Json | undefined {
  if (!isJsonObject(json)) return undefined;
  if (json.error) return json.error;
  if (isJsonObject(json.response) && json.response.error) return json.response.error;
  // Without a wrapper: Mistral and vLLM.
  if (json.type === 'error' || json.object === 'error') return json;
  // MiniMax.
  const { base_resp: base } = json;
  if (!isJsonObject(base) || !base.status_code) return undefined;
  return { message: base.status_msg ?? null, code: base.status_code };
}

/**
 * The error with what others than its server say in it: the provider behind OpenRouter, Google's reason for its status, the
 * text of Groq's model.
 */
export function explained(error: JsonObject): JsonObject {
  const metadata = isJsonObject(error.metadata) ? error.metadata : {};
  const behind = isText(metadata.raw) ? (errorIn(parsed(metadata.raw)) ?? { message: metadata.raw }) : {};
  const reasons = (Array.isArray(error.details) ? error.details : []).flatMap((detail) =>
    isJsonObject(detail) && isText(detail.reason) ? [detail.reason] : [],
  );
  // OpenRouter, for an input that was flagged.
  const refused = metadata.flagged_input === undefined ? [] : ['content_filter'];
  const types = [error.type, behind.type, behind.code, ...reasons, ...refused].filter(isText);
  const words = [error.message, behind.message, error.failed_generation].filter(isText);
  if (types.length < 2 && words.length < 2 && reasons.length + refused.length === 0) return error;
  const [first = '', ...more] = words;
  return {
    ...error,
    type: types.join(' '),
    message: [first, ...more.map((text) => text.slice(0, EXCERPT))].join(': '),
  };
}

function parsed(text: string): unknown {
  // Deeper than it could be shown.
  if (excessOf(text) !== undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a provider may say it in plain words
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));
