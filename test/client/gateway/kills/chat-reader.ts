import { DefaultChatTransport, readUIMessageStream, type UIMessageChunk } from 'ai';
import type { ChatMessage } from '../../../../client/web/conversation/message/chat-message';
import { blocksOf } from '../../../../client/web/conversation/message/message-parts';
import { isBeginning } from './answers';
import type { Hearing } from './fact-reader';
import { getJson, isLost, Lost, persist, request } from './requests';

interface Messages {
  messages: ChatMessage[];
  running: boolean;
}

/** The texts of a message, as a page shows them. */
export function textsOf(message: ChatMessage | undefined): string[] {
  return message === undefined ? [] : blocksOf(message).flatMap((block) => (block.kind === 'text' ? [block.text] : []));
}

/** Reads the answer of a run by the AI SDK, as the page does: after a loss it begins again, in place of what it has. */
export class ChatReader {
  constructor(
    private readonly url: string,
    private readonly to: Hearing,
  ) {}

  /** Sends a message. Returns the id of its run as soon as it is known, and the answer. */
  submit(agent: string, chatId: string, text: string): { id: Promise<string>; answer: Promise<ChatMessage> } {
    let known: (id: string) => void = () => undefined;
    const id = new Promise<string>((resolve) => {
      known = resolve;
    });
    const api = `${this.url}/v1/agents/${agent}/chat`;
    const transport = transportTo(api, (response) => known(decodeURI(response.headers.get('holdfast-run-id') ?? '')));
    const message = { id: `message of ${chatId}`, role: 'user', parts: [{ type: 'text', text }] } as ChatMessage;
    const send = () =>
      transport.sendMessages({
        chatId,
        messages: [message],
        trigger: 'submit-message',
        messageId: undefined,
        abortSignal: undefined,
      });
    const answer = async () => {
      // A message whose sending was lost is sent again: it is taken once.
      const first = await persist(send).then((stream) => this.#read(stream));
      return first ?? this.#goOn(transport, chatId, await id);
    };
    return { id, answer: answer() };
  }

  /** Reads the answer of a run that another reader has asked. */
  follow(id: string): Promise<ChatMessage> {
    return this.#goOn(transportTo(`${this.#run(id)}/chat`), 'chat', id);
  }

  #run(id: string): string {
    return `${this.url}/v1/runs/${encodeURIComponent(id)}`;
  }

  #goOn(transport: DefaultChatTransport<ChatMessage>, chatId: string, id: string): Promise<ChatMessage> {
    return persist(async () => {
      const { messages, running } = await getJson<Messages>(`${this.#run(id)}/ui-messages`);
      const last = messages.at(-1);
      if (running && last?.role === 'assistant') this.to.problem(`an answer that is streamed is in the list, too`);
      if (!running && last?.role === 'assistant') return last;
      const stream = await transport.reconnectToStream({ chatId });
      const answer = stream === null ? undefined : await this.#read(stream);
      if (answer === undefined) throw new Lost('The stream has ended before the answer');
      return answer;
    });
  }

  /** The message, if its stream was read to its end. */
  async #read(stream: ReadableStream<UIMessageChunk>): Promise<ChatMessage | undefined> {
    let last: ChatMessage | undefined;
    try {
      for await (const message of readUIMessageStream<ChatMessage>({ stream, terminateOnError: true })) {
        this.to.heard();
        last = message;
        const shown = textsOf(message).join('');
        if (!isBeginning(shown)) this.to.problem(`the chat shows: ${shown}`);
      }
    } catch (error) {
      // The text of an error that the stream itself tells.
      if (!isLost(error) && !(error instanceof Error)) throw error;
      return undefined;
    }
    return last?.metadata?.reason === undefined ? undefined : last;
  }
}

function transportTo(api: string, onResponse: (response: Response) => void = () => undefined) {
  return new DefaultChatTransport<ChatMessage>({
    api,
    fetch: async (...args) => {
      const response = await request(...args);
      onResponse(response);
      return response;
    },
  });
}
