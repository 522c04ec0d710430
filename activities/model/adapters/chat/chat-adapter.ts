import type { ModelAdapter, ModelPart } from '../../../../agent/model/adapter';
import type { ServerModel } from '../../../../agent/model/config';
import { isJsonObject, type JsonObject } from '../../../../agent/values/json';
import { type Reading, readResponse } from '../openai/read-response';
import { addressOf, secretsOf } from '../openai/secrets';
import { sendBody } from '../openai/send-body';
import { chatParts, chunkReader } from './chat-parts';
import { chatRequest } from './chat-request';

const READING: Omit<Reading, 'event'> = {
  whole: (json) => (isJsonObject(json) && Array.isArray(json.choices) ? wholeParts(json) : undefined),
  answer: 'a chat completion',
};

/** A whole completion has ended. Some servers do not name a reason for it, which only a stream has to. */
function wholeParts(json: JsonObject): ModelPart[] {
  const parts = chatParts(json);
  const isAnswered = parts.some((part) => part.type === 'call' || (part.type === 'text' && part.text !== ''));
  const isNamed = parts.some(({ type }) => type === 'finish');
  return isAnswered && !isNamed ? [...parts, { type: 'finish', reason: 'stop' }] : parts;
}

/** Speaks with a server that has OpenAI's chat completions. */
export function chatAdapter(config: ServerModel): ModelAdapter {
  return {
    kind: 'chat',
    provider: addressOf(config.baseUrl),
    secrets: () => secretsOf(config),
    stream(request, call) {
      const body = chatRequest(request, config.baseUrl);
      const send = () => sendBody(config, { path: '/chat/completions', body, list: 'messages', request, call });
      return readResponse(config, call, send, { event: chunkReader(), ...READING });
    },
  };
}
