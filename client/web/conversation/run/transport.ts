import { DefaultChatTransport } from 'ai';
import { request } from '../../api/request';
import { runPath } from '../../api/runs';
import type { ChatMessage } from '../message/chat-message';

/** The way to the chat of a run. `onAccepted` is called when the server has taken a message. */
export function transportTo(run: string, onAccepted: () => void): DefaultChatTransport<ChatMessage> {
  return new DefaultChatTransport<ChatMessage>({
    api: `${runPath(run)}/chat`,
    fetch: async (input, init) => {
      const response = await request(input, init);
      if (init?.method === 'POST') onAccepted();
      return response;
    },
    // The run has the conversation: only the last message counts.
    prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => ({
      body: { id, messages: messages.slice(-1), trigger, messageId },
    }),
  });
}
