import { chatMessages } from '../../activities/model/request/chat-messages';
import type { Message, Part } from '../../agent/model/message';
import type { Exported } from './exported';

/** A transcript as OpenAI chat messages, one JSON object per line. Calls and results have our ids. */
export function chatLines({ system, messages, modelNames }: Exported): string {
  const said = chatMessages({ messages: messages.map(neutral), modelNames, config: { baseUrl: '', model: '' } });
  const lines = [...(system === undefined ? [] : [{ role: 'system' as const, content: system }]), ...said];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The message without data that only its provider understands. */
function neutral({ providerData: _, ...message }: Message): Message {
  return { ...message, parts: message.parts.map(withoutProviderId) };
}

function withoutProviderId(part: Part): Part {
  if (part.type !== 'tool_use') return part;
  const { providerId: _, ...call } = part;
  return call;
}
