import { chatMessages } from '../../activities/model/request/chat-messages';
import type { Message, Part } from '../../agent/model/message';
import type { Exported } from './exported';

/** A transcript as OpenAI's chat messages, one JSON a line; calls and their results have our ids. */
export function chatLines({ system, messages, modelNames }: Exported): string {
  const said = chatMessages({ messages: messages.map(neutral), modelNames, config: { baseUrl: '', model: '' } });
  const lines = [...(system === undefined ? [] : [{ role: 'system' as const, content: system }]), ...said];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Without what only the provider that gave it understands. */
function neutral({ providerData: _, ...message }: Message): Message {
  return { ...message, parts: message.parts.map(withoutProviderId) };
}

function withoutProviderId(part: Part): Part {
  if (part.type !== 'tool_use') return part;
  const { providerId: _, ...call } = part;
  return call;
}
