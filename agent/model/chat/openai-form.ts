import type { Message, Part } from '../message';
import { sentMessages } from '../sent-messages';
import type { ChatMessage } from './chat-message';
import { chatMessages } from './chat-messages';

/** A transcript as any tool can read it: calls have our ids, and nothing is left that only one provider understands. */
export function openAiForm(
  messages: readonly Message[],
  { system, modelNames }: { system?: string | undefined; modelNames: ReadonlyMap<string, string> },
): ChatMessage[] {
  const said = chatMessages(sentMessages({ messages: messages.map(neutral), modelNames }));
  return system === undefined ? said : [{ role: 'system', content: system }, ...said];
}

function neutral({ providerData: _, ...message }: Message): Message {
  return { ...message, parts: message.parts.map(withoutProviderId) };
}

function withoutProviderId(part: Part): Part {
  if (part.type !== 'tool_use') return part;
  const { providerId: _, ...call } = part;
  return call;
}
