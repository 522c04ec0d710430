import type { ModelAdapter } from '../../../../agent/model/adapter';
import type { ServerModel } from '../../../../agent/model/config';
import { isJsonObject } from '../../../../agent/values/json';
import { readResponse } from '../openai/read-response';
import { addressOf, secretsOf } from '../openai/secrets';
import { sendBody } from '../openai/send-body';
import { chatParts } from './chat-parts';
import { chatRequest } from './chat-request';

const READING = {
  event: chatParts,
  whole: (json: unknown) => (isJsonObject(json) && Array.isArray(json.choices) ? chatParts(json) : undefined),
  answer: 'a chat completion',
};

/** Speaks with a server that has OpenAI's chat completions. */
export function chatAdapter(config: ServerModel): ModelAdapter {
  return {
    kind: 'chat',
    provider: addressOf(config.baseUrl),
    secrets: () => secretsOf(config),
    stream(request, call) {
      const body = chatRequest(request, config.baseUrl);
      const send = () => sendBody(config, { path: '/chat/completions', body, list: 'messages', request, call });
      return readResponse(config, call, send, READING);
    },
  };
}
