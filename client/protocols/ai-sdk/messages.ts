import type { ContentPart } from '../../../agent/model/message';
import type { Fact } from '../../../agent/protocol/facts/fact';
import type { JsonObject } from '../../../agent/values/json';
import type { ToolNames } from './calls/tool-names';
import { lasting, MessageFold, type UiMessage } from './fold';
import { Translation } from './translate';

/** What the facts of a run belong to. */
interface RunOf {
  runId: string;
  agent: string;
  names: ToolNames;
  /** The exchange in progress, whose answer is streamed. Missing: there is none. */
  running?: number;
}

/**
 * Messages of the AI SDK from facts: of each exchange the person's, and the assistant's, apart from the one that is in progress.
 * An exchange of which only the end is there is left out.
 */
export class MessageList {
  readonly messages: UiMessage[] = [];
  #exchange = 0;
  #translation: Translation | undefined;
  #fold: MessageFold | undefined;
  #hasBegun = false;
  /** The id that the sender of the exchange's message has chosen. */
  #messageId: string | undefined;

  constructor(private readonly of: RunOf) {}

  add(fact: Fact): void {
    if (fact.exchange === 0) return;
    if (fact.exchange > this.#exchange) this.#open(fact);
    if (fact.exchange !== this.#exchange) return;
    if (fact.type === 'exchange.start') this.#messageId = fact.id;
    if (fact.type === 'loop.iteration') this.#hasBegun = true;
    if (fact.type === 'message' && fact.message.role === 'user' && !this.#hasBegun) {
      this.messages.push(userMessage(fact.message.parts as ContentPart[], fact, this.#messageId));
      this.#messageId = undefined;
    }
    const chunks = this.#translation?.fact(fact) ?? [];
    for (const chunk of chunks) this.#fold?.add(chunk);
    if (this.#translation?.isOver) this.#close();
  }

  /** All of them, once the last fact is added. */
  end(): UiMessage[] {
    if (this.#exchange !== this.of.running) this.#close();
    return this.messages;
  }

  #open(fact: Fact): void {
    this.#close();
    this.#exchange = fact.exchange;
    this.#hasBegun = false;
    if (fact.type !== 'exchange.start' && fact.type !== 'loop.start' && this.messages.length === 0 && fact.seq > 1) {
      // Its beginning is missing.
      return;
    }
    this.#translation = new Translation({ ...this.of, exchange: fact.exchange });
    this.#fold = new MessageFold(`x${fact.exchange}`);
    this.#fold.add(this.#translation.start(fact.time));
  }

  #close(): void {
    const message = this.#fold?.message;
    this.#fold = undefined;
    this.#translation = undefined;
    if (message !== undefined && (message.parts.length > 0 || message.metadata?.error !== undefined))
      this.messages.push(lasting(message));
  }
}

function userMessage(parts: readonly ContentPart[], { seq, time }: Fact, id = `m${seq}`): UiMessage {
  return { id, role: 'user', parts: parts.map(uiPart), metadata: { at: time } };
}

function uiPart(part: ContentPart): JsonObject {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { mediaType, data, url, name } = part;
  const filename = name === undefined ? {} : { filename: name };
  return { type: 'file', mediaType, url: url ?? `data:${mediaType};base64,${data ?? ''}`, ...filename };
}
