import { announcedMedia, emptyResult, mediaOfResult, omittedMedia } from '../../prompts/calls/results';
import type { JsonObject } from '../../values/json';
import type { ModelMessage, ModelToolCall } from '../adapter';
import type { ContentPart, MediaPart } from '../message';
import type { ChatContent, ChatMessage, ChatToolCall } from './chat-message';
import { mediaContent } from './media-content';

/** Messages as OpenAI's chat messages. */
export function chatMessages(messages: readonly ModelMessage[]): ChatMessage[] {
  const out: ChatMessage[] = [];
  // Media of tool results wait here until the batch is over: a call and its results must not be separated.
  let waiting: ChatContent[] = [];
  const flush = () => {
    if (waiting.length > 0) out.push({ role: 'user', content: waiting });
    waiting = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      out.push({ role: 'tool', tool_call_id: message.id, content: resultText(message) });
      waiting.push(...resultMedia(message));
      continue;
    }
    flush();
    out.push(
      message.role === 'user' ? { role: 'user', content: userContent(message.content) } : assistantMessage(message),
    );
  }
  flush();
  return out;
}

function assistantMessage(message: Extract<ModelMessage, { role: 'assistant' }>): ChatMessage {
  const toolCalls = message.content.filter((part) => part.type === 'call').map(toolCall);
  const content = message.content
    .map((part) => (part.type === 'text' ? part.text : part.type === 'media' ? omittedMedia(part) : ''))
    .join('');
  const out: Extract<ChatMessage, { role: 'assistant' }> & { [field: string]: unknown } = {
    // First, so that no echoed field can replace one of ours.
    ...message.providerData,
    role: 'assistant',
    content: content === '' && toolCalls.length > 0 ? null : content,
  };
  if (toolCalls.length === 0) return out;
  out.tool_calls = toolCalls;
  // Models that think between calls need their thoughts back; after a final answer some servers reject them.
  if (message.reasoningField !== undefined) {
    out[message.reasoningField] = message.content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  }
  return out;
}

function toolCall({ id, name, input, providerData }: ModelToolCall): ChatToolCall {
  return { ...providerData, id, type: 'function', function: { name, arguments: argumentsText(input) } };
}

/** Arguments never change, and each later call of a run sends them again. */
const argumentTexts = new WeakMap<JsonObject, string>();

function argumentsText(input: JsonObject): string {
  const known = argumentTexts.get(input) ?? JSON.stringify(input);
  argumentTexts.set(input, known);
  return known;
}

function userContent(parts: readonly ContentPart[]): string | ChatContent[] {
  const shown = parts.map((part): ChatContent => {
    return part.type === 'text' ? { type: 'text', text: part.text } : mediaContent(part);
  });
  // Every server understands a plain text, but not every server a list of parts.
  return shown.every((part) => part.type === 'text') ? shown.map((part) => part.text).join('\n') : shown;
}

/** The content of a result where media cannot be part of it. */
export function resultText({ content }: { content: readonly ContentPart[] }): string {
  const lines = content.map((piece) => (piece.type === 'text' ? piece.text : announcedMedia(piece)));
  // Servers reject an empty message.
  return lines.join('\n') || emptyResult();
}

function resultMedia({ name, content }: { name: string; content: readonly ContentPart[] }): ChatContent[] {
  const media = content.filter((piece): piece is MediaPart => piece.type === 'media');
  if (media.length === 0) return [];
  return [{ type: 'text', text: mediaOfResult(name) }, ...media.map(mediaContent)];
}
