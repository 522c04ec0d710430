import type { ResponseInputItem } from 'openai/resources/responses/responses';
import type { ModelMessage, ModelToolCall } from '../../../../agent/model/adapter';
import type { ReasoningPart } from '../../../../agent/model/message';
import { omittedMedia } from '../../../../agent/prompts/calls/results';
import { isJsonObject, type JsonObject } from '../../../../agent/values/json';

type SentAnswer = Extract<ModelMessage, { role: 'assistant' }>;

/** An answer as the items that the model gave, with what this model gave with them. */
export function answerItems({ content, providerData }: SentAnswer): ResponseInputItem[] {
  const messages = new SaidMessages(providerData);
  const items: ResponseInputItem[] = [];
  for (const part of content) {
    if (part.type === 'call') items.push(callItem(part));
    else if (part.type === 'text') items.push(...messages.itemsOf(part.text));
    else if (part.type === 'media') items.push({ role: 'assistant', content: omittedMedia(part) });
    else items.push(...reasoningItem(part));
  }
  const last = items.findLastIndex((item) => !isReasoning(item));
  return items.filter((item, place) => !isReasoning(item) || (place < last && isFollowed(item, items[place + 1])));
}

const isReasoning = (item: ResponseInputItem | undefined) => item?.type === 'reasoning';

/**
 * The API refuses reasoning without the item that followed from it, such as a call that the run has dropped. Servers whose
 * reasoning is not encrypted may give it in several items.
 */
function isFollowed(item: ResponseInputItem, next: ResponseInputItem | undefined): boolean {
  return !isReasoning(next) || !('encrypted_content' in item);
}

function callItem({ id, name, input, providerData = {} }: ModelToolCall): ResponseInputItem {
  const known = typeof providerData.id === 'string' ? { id: providerData.id } : {};
  return { ...known, type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) };
}

/** Reasoning goes back as it came; without the data of this model the API does not accept it. */
function reasoningItem({ providerData }: ReasoningPart): ResponseInputItem[] {
  if (providerData === undefined) return [];
  // What this adapter kept of an item of this API, see `reasoningData`.
  return [{ summary: [], ...providerData, type: 'reasoning' } as unknown as ResponseInputItem];
}

/** What the adapter keeps of each message of an answer, in `messages` of its data. */
export interface SaidMessage {
  id: string;
  /** Whether it was the answer itself, in the server's word. */
  phase?: string;
  /** Characters of its text. */
  length: number;
}

/** The messages of an answer, whose texts are joined in ours. */
class SaidMessages {
  private readonly left: SaidMessage[];

  constructor(data: JsonObject | undefined) {
    const { messages = [] } = data ?? {};
    // Read from a transcript; only this adapter writes it.
    this.left = Array.isArray(messages) ? (messages.filter(isJsonObject) as unknown as SaidMessage[]) : [];
  }

  /** The messages that one text was; a single one without data if that is not known. */
  itemsOf(text: string): ResponseInputItem[] {
    const items: ResponseInputItem[] = [];
    for (let from = 0; from < text.length; ) {
      const said = this.left.shift();
      if (said === undefined || !(said.length > 0) || from + said.length > text.length) {
        this.left.length = 0;
        items.push({ role: 'assistant', content: text.slice(from) });
        break;
      }
      const { id, phase, length } = said;
      const content = [{ type: 'output_text', text: text.slice(from, from + length) }];
      // As the API takes it. Its type also wants the fields that only an answer has.
      const item = { ...(phase === undefined ? {} : { phase }), type: 'message', id, role: 'assistant', content };
      items.push(item as unknown as ResponseInputItem);
      from += length;
    }
    return items;
  }
}
