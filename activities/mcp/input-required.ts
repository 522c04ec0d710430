import { CANNOT_ASK } from '../../agent/prompts/calls/mcp-calls';
import type { InputRequired } from '../../agent/protocol/calls/tool-call';
import { defined } from '../../agent/values/defined';
import { isJsonObject, type Json, type JsonObject, jsonBytes } from '../../agent/values/json';
import { thirdPartyProblem, usableThirdParty } from '../schemas/third-party';

/** Bytes of all that a server asks for in one round, its state included: it is in history more than once. */
const MAX_BYTES = 64 * 1024;
/** Requests in one round: each is a separate question to a person. */
const MAX_REQUESTS = 16;

type Asked = InputRequired['requests'][number];
type Read<T> = T | { problem: string };

/**
 * What a server asks for during a call, as questions to people. `problem`: why it cannot be asked.
 * `clean` removes secrets from what people are shown; the server's state and the values of its form stay unchanged.
 */
export async function inputRequired(
  requests: { [key: string]: unknown },
  state: string | undefined,
  clean: (text: string) => string,
): Promise<Read<InputRequired>> {
  const entries = Object.entries(requests);
  if (entries.length > MAX_REQUESTS) return { problem: CANNOT_ASK.tooMany(entries.length, MAX_REQUESTS) };
  const asked: Asked[] = [];
  for (const [key, request] of entries) {
    const read = await requestOf(key, request, clean);
    if ('problem' in read) return { problem: clean(read.problem) };
    asked.push(read);
  }
  const needs = { requests: asked, ...defined({ state }) };
  const bytes = jsonBytes(needs);
  return bytes > MAX_BYTES ? { problem: CANNOT_ASK.tooLarge(bytes, MAX_BYTES) } : needs;
}

async function requestOf(key: string, request: unknown, clean: (text: string) => string): Promise<Read<Asked>> {
  const { method, params } = isJsonObject(request) ? request : {};
  if (method !== 'elicitation/create') {
    return { problem: typeof method === 'string' ? CANNOT_ASK.method(method.slice(0, 100)) : CANNOT_ASK.nameless };
  }
  const { mode = 'form', message, requestedSchema, url } = isJsonObject(params) ? params : {};
  if (typeof message !== 'string' || message.trim() === '') return { problem: CANNOT_ASK.noQuestion };
  const question = clean(message);
  if (mode === 'url') return isPage(url) ? { key, question, url: clean(url) } : { problem: CANNOT_ASK.noPage };
  if (mode !== 'form') return { problem: CANNOT_ASK.mode(JSON.stringify(mode).slice(0, 100)) };
  if (!isJsonObject(requestedSchema) || requestedSchema.type !== 'object') {
    return { problem: CANNOT_ASK.noFields };
  }
  const { schema, problems } = await usableThirdParty(requestedSchema);
  const broken = schema === undefined ? problems[0]?.problem : await thirdPartyProblem(schema);
  if (schema === undefined || broken !== undefined) return { problem: CANNOT_ASK.brokenForm(broken) };
  return { key, question, schema: cleanSchema(schema, clean) as JsonObject };
}

/** A person who is shown an address opens it: one with another scheme may run a program. */
function isPage(url: unknown): url is string {
  return typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** The fields of a schema that people read; the values themselves go back to the server unchanged. */
const TEXTS = new Set(['title', 'description', 'enumNames']);

function cleanSchema(value: Json, clean: (text: string) => string, shown = false): Json {
  if (typeof value === 'string') return shown ? clean(value) : value;
  if (Array.isArray(value)) return value.map((one) => cleanSchema(one, clean, shown));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      cleanSchema(one, clean, TEXTS.has(key) && (typeof one === 'string' || Array.isArray(one))),
    ]),
  );
}
