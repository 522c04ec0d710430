import { noAnswer } from '../../prompts/answers';
import { announcedMedia, emptyResult, mediaOfResult, omittedMedia } from '../../prompts/calls/results';
import { remembered } from '../../values/remembered';
import type { ModelMessage, ModelToolCall } from '../adapter';
import type { ContentPart, MediaPart } from '../message';
import type { ChatContent, ChatMessage, ChatToolCall } from './chat-message';
import { mediaContent } from './media-content';

/**
 * Messages as OpenAI's chat messages.
 * @param opensFiles the server takes documents by address
 */
export function chatMessages(messages: readonly ModelMessage[], { opensFiles = false } = {}): ChatMessage[] {
  const chatMessage = opensFiles ? withAddresses : withoutAddresses;
  const out: ChatMessage[] = [];
  // Media of tool results wait here until the batch is over: a call and its results must not be separated.
  let waiting: ChatContent[] = [];
  const flush = () => {
    if (waiting.length > 0) out.push({ role: 'user', content: waiting });
    waiting = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      out.push(chatMessage(message));
      waiting.push(...resultMedia(message, opensFiles));
      continue;
    }
    flush();
    out.push(chatMessage(message));
  }
  flush();
  return out;
}

/** Each later call of a run sends a message again. */
const withoutAddresses = remembered((message: ModelMessage) => oneMessage(message, false));
const withAddresses = remembered((message: ModelMessage) => oneMessage(message, true));

/** One message, without the media of a result. */
function oneMessage(message: ModelMessage, opensFiles: boolean): ChatMessage {
  if (message.role === 'assistant') return assistantMessage(message);
  if (message.role === 'user') return { role: 'user', content: userContent(message.content, opensFiles) };
  return { role: 'tool', tool_call_id: message.id, content: resultText(message) };
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
    content: toolCalls.length > 0 ? content || null : saidIn(content),
  };
  if (toolCalls.length === 0) return out;
  out.tool_calls = toolCalls;
  // Models that think between calls need their thoughts back; after a final answer some servers reject them.
  if (message.reasoningField !== undefined) {
    out[message.reasoningField] = message.content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  }
  return out;
}

/** Some servers refuse an empty answer, and each request that follows it. */
function saidIn(content: string): string {
  return content.trim() === '' ? noAnswer() : content;
}

function toolCall({ id, name, input, providerData }: ModelToolCall): ChatToolCall {
  return { ...providerData, id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

function userContent(parts: readonly ContentPart[], opensFiles: boolean): string | ChatContent[] {
  const shown = parts.map((part): ChatContent => {
    return part.type === 'text' ? { type: 'text', text: part.text } : mediaContent(part, opensFiles);
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

function resultMedia(
  { name, content }: { name: string; content: readonly ContentPart[] },
  opensFiles: boolean,
): ChatContent[] {
  const media = content.filter((piece): piece is MediaPart => piece.type === 'media');
  if (media.length === 0) return [];
  return [{ type: 'text', text: mediaOfResult(name) }, ...media.map((part) => mediaContent(part, opensFiles))];
}
