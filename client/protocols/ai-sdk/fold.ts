import { isJsonObject, type JsonObject } from '../../../agent/values/json';
import type { UiChunk } from './chunks';

/** A message as the AI SDK keeps it. */
export interface UiMessage {
  id: string;
  role: 'user' | 'assistant';
  parts: JsonObject[];
  metadata?: JsonObject;
}

/** Makes a message of its chunks, as a client of the AI SDK does. */
export class MessageFold {
  readonly message: UiMessage;
  /** Texts that are still being written, by id. */
  readonly #open = new Map<string, JsonObject & { text: string }>();

  constructor(id: string) {
    this.message = { id, role: 'assistant', parts: [] };
  }

  add(chunk: UiChunk): void {
    const { parts } = this.message;
    switch (chunk.type) {
      case 'start':
        this.message.id = chunk.messageId;
        this.#tell(chunk.messageMetadata);
        return;
      case 'finish':
        this.#tell(chunk.messageMetadata);
        return;
      case 'start-step':
        parts.push({ type: 'step-start' });
        return;
      case 'text-start':
      case 'reasoning-start': {
        const part = { type: chunk.type === 'text-start' ? 'text' : 'reasoning', text: '', state: 'done' };
        this.#open.set(chunk.id, part);
        parts.push(part);
        return;
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const part = this.#open.get(chunk.id);
        if (part !== undefined) part.text += chunk.delta;
        return;
      }
      case 'tool-input-start':
        this.#call(chunk.toolCallId, { ...kindOf(chunk), state: 'input-streaming' });
        return;
      case 'tool-input-available':
        this.#call(chunk.toolCallId, { ...kindOf(chunk), state: 'input-available', input: chunk.input });
        return;
      case 'tool-input-error': {
        const { input, errorText } = chunk;
        this.#call(chunk.toolCallId, { ...kindOf(chunk), state: 'output-error', input, errorText });
        return;
      }
      case 'tool-approval-request':
        this.#call(chunk.toolCallId, { state: 'approval-requested', approval: { id: chunk.approvalId } });
        return;
      case 'tool-output-available':
        this.#call(chunk.toolCallId, { state: 'output-available', output: chunk.output });
        return;
      case 'tool-output-error':
        this.#call(chunk.toolCallId, { state: 'output-error', errorText: chunk.errorText });
        return;
      case 'tool-output-denied':
        this.#call(chunk.toolCallId, { state: 'output-denied' });
        return;
      default:
        if (!('data' in chunk)) return;
        this.#data(chunk);
    }
  }

  #tell(metadata: object): void {
    this.message.metadata = { ...this.message.metadata, ...(metadata as JsonObject) };
  }

  #call(toolCallId: string, news: JsonObject): void {
    const known = this.message.parts.find((part) => part.toolCallId === toolCallId);
    if (known !== undefined) Object.assign(known, news);
    else this.message.parts.push({ ...news, toolCallId });
  }

  #data({ type, id, data }: Extract<UiChunk, { data: JsonObject }>): void {
    const known = this.message.parts.find((part) => id !== undefined && part.type === type && part.id === id);
    if (known !== undefined) known.data = data;
    else this.message.parts.push({ type, ...(id === undefined ? {} : { id }), data });
  }
}

function kindOf({ toolName, dynamic }: { toolName: string; dynamic?: true }): JsonObject {
  return dynamic ? { type: 'dynamic-tool', toolName } : { type: `tool-${toolName}` };
}

/** Leaves out what a message of the past needs no more. */
export function lasting({ parts, ...message }: UiMessage): UiMessage {
  return { ...message, parts: parts.filter(({ type, data }) => type !== 'data-status' || hasText(data)) };
}

function hasText(data: unknown): boolean {
  return isJsonObject(data) && data.text !== undefined;
}
