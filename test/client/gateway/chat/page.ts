import { Chat } from '@ai-sdk/react';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai';
import { type ServedKit, TOKEN } from '../kit';

/** A page with a plain chat of the AI SDK, and what it has sent. */
export interface Page {
  chat: Chat<UIMessage>;
  /** The last message of each request that sends. */
  sent: UIMessage[];
}

type ChatOptions = Pick<ConstructorParameters<typeof Chat<UIMessage>>[0], 'messages' | 'sendAutomaticallyWhen'> & {
  token?: string;
};

export function pageOf(
  gateway: ServedKit,
  agent: string,
  id: string,
  {
    sendAutomaticallyWhen = lastAssistantMessageIsCompleteWithApprovalResponses,
    token = TOKEN,
    ...options
  }: ChatOptions = {},
): Page {
  const sent: UIMessage[] = [];
  const transport = new DefaultChatTransport<UIMessage>({
    api: `${gateway.url}/v1/agents/${agent}/chat`,
    headers: { authorization: `Bearer ${token}` },
    fetch: (address, init) => {
      if (typeof init?.body === 'string') sent.push(JSON.parse(init.body).messages.at(-1));
      return fetch(address, init);
    },
  });
  return { chat: new Chat<UIMessage>({ id, transport, sendAutomaticallyWhen, ...options }), sent };
}

/** The parts of the last message that are calls. */
export function callsIn(chat: Chat<UIMessage>) {
  return (chat.messages.at(-1)?.parts ?? []).flatMap((part) => ('toolCallId' in part ? [part] : []));
}

/** State of each call in the last message, by its id. */
export function statesIn(chat: Chat<UIMessage>): { [toolCallId: string]: string } {
  return Object.fromEntries(callsIn(chat).map(({ toolCallId, state }) => [toolCallId, state]));
}

/** Answers all calls that ask. */
export async function respond(chat: Chat<UIMessage>, approved = true): Promise<void> {
  for (const { approval, state } of callsIn(chat)) {
    if (state === 'approval-requested') await chat.addToolApprovalResponse({ id: approval.id, approved });
  }
}

export function textIn(chat: Chat<UIMessage>): string {
  return (chat.messages.at(-1)?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('|');
}

/** What the server says about the last message. */
export function metadataOf(chat: Chat<UIMessage>) {
  return chat.messages.at(-1)?.metadata as { runId: string; facts: number; waiting?: { [kind: string]: number } };
}
