import { isJsonObject, type JsonObject } from '../../../agent/values/json';
import { argumentsText } from '../../kit/reply-pieces';
import { sendJson } from '../../kit/send-reply';
import { beginStream, isWhole, sendPieces, sent } from '../send-pieces';
import type { Wire, WireReply } from '../wire';
import { askedOfChat, chat, chunk, problemOf } from './chat';

/**
 * A small server with OpenAI's chat completions, as far as it has them: whole calls without id and index, whose
 * arguments are an object, no structured output, and no usage in a stream. It parses the calls of the model itself: one
 * that it cannot parse stays text.
 */
export const ollama: Wire = {
  name: 'an Ollama-style server',
  lacks: [
    'call ids',
    'calls in pieces',
    'arguments as text',
    'images in results',
    'signature',
    'refusal',
    'usage',
    'cached usage',
    'structured output',
  ],
  model: chat.model,
  asked: askedOfChat,
  async send(reply, asked, response) {
    const { response_format: format } = asked.body;
    const problem = format === undefined ? problemOf(asked) : '"response_format" is not supported by this model';
    if (problem !== undefined) return sendJson(response, 400, errorOfOllama(400, { message: problem }));
    beginStream(response);
    const { whole, broken } = parsedCalls(reply);
    const { calls: _, ...said } = reply;
    const text = [reply.text, ...broken, reply.refusal].filter((one) => one !== undefined).join('\n');
    await sendPieces({ ...said, text }, response, (piece) => {
      if (piece.type === 'reasoning') return chunk({ role: 'assistant', content: '', reasoning: piece.text });
      return piece.type === 'text' ? chunk({ role: 'assistant', content: piece.text }) : undefined;
    });
    if (!isWhole(reply)) return;
    if (whole.length > 0) await sent(response, chunk({ role: 'assistant', content: '', tool_calls: whole }));
    response.end(`${chunk({ role: 'assistant', content: '' }, reply.finishReason ?? 'stop')}data: [DONE]\n\n`);
  },
  error: errorOfOllama,
};

function errorOfOllama(_status: number, { code, message = '' }: { code?: string; message?: string }): JsonObject {
  return { error: code === undefined ? message : `${message} (${code})` };
}

function parsedCalls({ calls = [] }: WireReply): { whole: JsonObject[]; broken: string[] } {
  const whole: JsonObject[] = [];
  const broken: string[] = [];
  for (const { name, arguments: args } of calls) {
    const input = typeof args === 'string' ? parsed(args) : args;
    if (input === undefined) broken.push(`${name}(${argumentsText(args)})`);
    else whole.push({ function: { name, arguments: input } });
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
