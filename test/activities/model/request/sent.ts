import { chatRequest } from '../../../../activities/model/adapters/chat/chat-request';
import { modelRequest, type RequestArgs } from '../../../../activities/model/request/model-request';
import type { ServerModel } from '../../../../agent/model/config';
import type { Message, Part, ToolUsePart } from '../../../../agent/model/message';
import { toolSpec } from '../../../workflows/state-data';

export const config = { baseUrl: 'http://localhost:1/v1', model: 'm' };
export const PNG = { type: 'media', mediaType: 'image/png', data: 'AAAA' } as const;

export const lookUp = [
  toolSpec('look.up', {
    description: 'Does look.up',
    inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: {} },
  }),
];
export const user = (...parts: Part[]): Message => ({ role: 'user', parts, turn: 0 });
export const said = (turn: number, ...parts: Part[]): Message => ({ role: 'assistant', parts, turn });
export const text = (value: string): Part => ({ type: 'text', text: value });
export const use = (toolUseId: string, extra: Partial<ToolUsePart> = {}): Part => ({
  type: 'tool_use',
  toolUseId,
  name: 'look.up',
  input: { q: 1 },
  ...extra,
});
export const result = (turn: number, toolUseId: string, ...content: (typeof PNG | { type: 'text'; text: string })[]) =>
  ({ role: 'user', turn, parts: [{ type: 'tool_result', toolUseId, name: 'look.up', content }] }) satisfies Message;

export const build = (extra: Partial<RequestArgs> & { config?: ServerModel }) => {
  const asked = modelRequest({ config, messages: [], tools: [], call: 1, ...extra });
  return chatRequest(asked, (extra.config ?? config).baseUrl);
};
export const messagesOf = (messages: Message[], call = 1, extra: Parameters<typeof build>[0] = {}) =>
  build({ messages, call, ...extra }).messages;
