import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { aiSdk } from 'holdfast/worker';
import { isJsonObject, type Json, type JsonObject } from '../../../agent/values/json';
import { argumentsText } from '../../kit/reply-pieces';
import { sendJson } from '../../kit/send-reply';
import { KEY } from '../provider';
import { beginStream, isWhole, sendPieces, sent } from '../send-pieces';
import type { Asked, AskedMessage, Wire, WireReply } from '../wire';
import { fetchWith } from './fetch-with';

/** What the provider's package says beside an image in a result, for models before Gemini 3. */
const RETURNED = /^Tool executed successfully and returned this/;

/** Gemini's streamGenerateContent, behind `@ai-sdk/google`. Calls come whole, after the text. */
export const google: Wire = {
  name: 'Google generateContent',
  lacks: ['calls in pieces', 'arguments as text'],
  model(url, { extraBody, ...settings } = {}) {
    const provider = createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: KEY, fetch: fetchWith(extraBody) });
    return aiSdk(provider('m'), settings);
  },
  asked(body, headers) {
    const { systemInstruction, generationConfig } = body;
    const schema = isJsonObject(generationConfig) ? generationConfig.responseSchema : undefined;
    return {
      system: isJsonObject(systemInstruction) ? textIn(objects(systemInstruction.parts)) : '',
      messages: objects(body.contents).flatMap(askedMessages),
      tools: objects(body.tools)
        .flatMap(({ functionDeclarations }) => objects(functionDeclarations))
        .map(({ name, description, parameters }) => ({
          name: String(name),
          description: String(description),
          inputSchema: isJsonObject(parameters) ? parameters : {},
        })),
      ...(isJsonObject(schema) ? { output: schema } : {}),
      body,
      headers,
    };
  },
  async send(reply, asked, response) {
    const problem = problemOf(asked);
    if (problem !== undefined) return sendJson(response, 400, this.error(400, { message: problem }));
    const { whole, broken } = parsedCalls(reply);
    const { calls: _, ...rest } = reply;
    const text = [reply.text, ...broken].filter((one) => one !== undefined).join('\n');
    beginStream(response);
    await sendPieces({ ...rest, text }, response, (piece) =>
      'text' in piece
        ? chunk({ text: piece.text, ...(piece.type === 'reasoning' ? { thought: true } : {}) })
        : undefined,
    );
    if (!isWhole(reply)) return;
    // The signature comes with the first call, or with the last text.
    const { signature } = reply;
    const signed = signature === undefined ? {} : { thoughtSignature: signature };
    for (const [i, call] of whole.entries()) {
      await sent(response, chunk({ functionCall: call, ...(i === 0 ? signed : {}) }));
    }
    if (whole.length === 0 && signature !== undefined) await sent(response, chunk({ text: '', ...signed }));
    response.end(sse(endOf(reply)));
  },
  error: (status, { code, message = '' }) => ({
    error: { code: status, message, status: code ?? ERRORS.get(status) ?? 'INTERNAL' },
  }),
};

const ERRORS: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [429, 'RESOURCE_EXHAUSTED'],
  [503, 'UNAVAILABLE'],
]);

const sse = (data: JsonObject) => `data: ${JSON.stringify(data)}\n\n`;
const chunk = (part: JsonObject) => sse({ candidates: [{ content: { role: 'model', parts: [part] } }] });

function endOf({ refusal, finishReason, usage, cached }: WireReply): JsonObject {
  const { prompt = 0, completion = 0 } = usage ?? {};
  const reason = refusal !== undefined ? 'SAFETY' : finishReason === 'length' ? 'MAX_TOKENS' : 'STOP';
  return {
    candidates: [{ finishReason: reason, ...(refusal === undefined ? {} : { finishMessage: refusal }) }],
    usageMetadata: {
      promptTokenCount: prompt,
      candidatesTokenCount: completion,
      totalTokenCount: prompt + completion,
      ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
    },
  };
}

/** Gemini parses the calls of the model itself. */
function parsedCalls({ calls = [] }: WireReply): { whole: JsonObject[]; broken: string[] } {
  const whole: JsonObject[] = [];
  const broken: string[] = [];
  for (const { id, name, arguments: given } of calls) {
    const args = typeof given === 'string' ? parsed(given) : given;
    if (args === undefined) broken.push(`${name}(${argumentsText(given)})`);
    else whole.push({ name, args, ...(id === undefined ? {} : { id }) });
  }
  return { whole, broken };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Results of calls come in a message of the user, each followed by its images. */
function askedMessages({ role, parts: given }: JsonObject): AskedMessage[] {
  const parts = objects(given);
  if (role === 'model') return [modelMessage(parts)];
  if (!parts.some(({ functionResponse }) => functionResponse !== undefined)) {
    return [{ role: 'user', text: textIn(parts), images: imagesIn(parts), calls: [] }];
  }
  const results: AskedMessage[] = [];
  for (const part of parts) {
    const { functionResponse: result, text } = part;
    if (isJsonObject(result)) {
      const content = isJsonObject(result.response) ? result.response.content : undefined;
      const images = imagesIn(objects(result.parts));
      results.push({ role: 'tool', text: String(content), images, calls: [], resultOf: String(result.id) });
    } else if (typeof text !== 'string') results.at(-1)?.images.push(...imagesIn([part]));
    else if (!RETURNED.test(text)) throw new Error(`A text between results: ${text}`);
  }
  return results;
}

function modelMessage(parts: JsonObject[]): AskedMessage {
  const reasoning = textIn(parts.filter(({ thought }) => thought === true));
  const signature = parts.find(({ thoughtSignature }) => typeof thoughtSignature === 'string')?.thoughtSignature;
  return {
    role: 'assistant',
    text: textIn(parts.filter(({ thought }) => thought !== true)),
    images: imagesIn(parts),
    calls: parts.flatMap(({ functionCall: call }) =>
      isJsonObject(call) ? [{ id: String(call.id), name: String(call.name), input: call.args as JsonObject }] : [],
    ),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(typeof signature === 'string' ? { signature } : {}),
  };
}

/** Why Gemini would refuse a request. */
function problemOf({ messages }: Asked): string | undefined {
  for (const [i, { role, calls }] of messages.entries()) {
    if (role !== 'assistant' || calls.length === 0) continue;
    const next = messages.slice(i + 1).findIndex((message) => message.role !== 'tool');
    const results = next < 0 ? messages.length - i - 1 : next;
    if (results !== calls.length) {
      return 'Please ensure that the number of function response parts is equal to the number of function call parts';
    }
  }
  return undefined;
}

const textIn = (parts: JsonObject[]) =>
  parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');

function imagesIn(parts: JsonObject[]): string[] {
  return parts.flatMap(({ inlineData, fileData }) =>
    [inlineData, fileData].flatMap((data) => (isJsonObject(data) ? [String(data.mimeType)] : [])),
  );
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
