import { announcedMedia, emptyResult, mediaOfResult, omittedMedia } from '../../prompts/results';
import type { JsonObject } from '../../values/json';
import type { ContentPart, MediaPart, Message, ToolResultPart, ToolUsePart } from '../message';
import type { ChatContent, ChatMessage, ChatToolCall } from './chat-message';
import { mediaContent } from './media-content';
import { sentCallIds } from './sent-call-ids';

/** What a message has that only its provider understands, and wants back. */
export interface Echo {
  /** Fields of the message. */
  message?: JsonObject;
  /** The field in which the reasoning came, where it is to be sent back in it. */
  reasoning?: string;
  /** Fields of one call, such as a signature. Each call is asked for once, in order. */
  call(part: ToolUsePart, sentName: string): JsonObject | undefined;
}

export interface Transcript {
  /** As they are to be shown, with media masked. */
  messages: readonly Message[];
  /** Canonical tool names and the names that the model uses. */
  modelNames: ReadonlyMap<string, string>;
  /** Default: nothing is sent back that only a provider understands. */
  echo?: (message: Message) => Echo | undefined;
}

/** Our messages as OpenAI's chat messages. */
export function chatMessages(transcript: Transcript): ChatMessage[] {
  const ids = sentCallIds(transcript.messages);
  const out: ChatMessage[] = [];
  // Media of tool results wait here until the batch is over: a call and its results must not be separated.
  let waiting: ChatContent[] = [];
  const flush = () => {
    if (waiting.length > 0) out.push({ role: 'user', content: waiting });
    waiting = [];
  };
  for (const message of transcript.messages) {
    if (message.role === 'assistant') {
      flush();
      out.push(assistantMessage(message, transcript, ids));
      continue;
    }
    const said: ContentPart[] = [];
    for (const part of message.parts) {
      if (part.type === 'text' || part.type === 'media') said.push(part);
      if (part.type !== 'tool_result') continue;
      const id = ids.get(part.toolUseId) ?? part.toolUseId;
      out.push({ role: 'tool', tool_call_id: id, content: resultText(part) });
      waiting.push(...resultMedia(part));
    }
    if (said.length === 0) continue;
    flush();
    out.push({ role: 'user', content: userContent(said) });
  }
  flush();
  return out;
}

/** The model's name of a tool; an unknown name is made valid, since servers reject any other. */
export function sentName(name: string, modelNames: ReadonlyMap<string, string>): string {
  return modelNames.get(name) ?? (name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_');
}

function assistantMessage(
  message: Message,
  { modelNames, echo }: Transcript,
  ids: ReadonlyMap<string, string>,
): ChatMessage {
  const echoed = echo?.(message);
  const toolCalls = message.parts
    .filter((part) => part.type === 'tool_use')
    .map((part) => toolCall(part, sentName(part.name, modelNames), ids.get(part.toolUseId) ?? part.toolUseId, echoed));
  const content = message.parts
    .map((part) => (part.type === 'text' ? part.text : part.type === 'media' ? omittedMedia(part) : ''))
    .join('');
  const out: Extract<ChatMessage, { role: 'assistant' }> & { [field: string]: unknown } = {
    // First, so that no echoed field can replace one of ours.
    ...echoed?.message,
    role: 'assistant',
    content: content === '' && toolCalls.length > 0 ? null : content,
  };
  if (toolCalls.length === 0) return out;
  out.tool_calls = toolCalls;
  // Models that think between calls need their thoughts back; after a final answer some servers reject them.
  if (echoed?.reasoning !== undefined) {
    out[echoed.reasoning] = message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  }
  return out;
}

function toolCall(part: ToolUsePart, name: string, id: string, echoed: Echo | undefined): ChatToolCall {
  return {
    ...echoed?.call(part, name),
    id,
    type: 'function',
    function: { name, arguments: argumentsText(part.input) },
  };
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

function resultText(part: ToolResultPart): string {
  const lines = part.content.map((piece) => (piece.type === 'text' ? piece.text : announcedMedia(piece)));
  // Servers reject an empty message.
  return lines.join('\n') || emptyResult();
}

function resultMedia(part: ToolResultPart): ChatContent[] {
  const media = part.content.filter((piece): piece is MediaPart => piece.type === 'media');
  if (media.length === 0) return [];
  return [{ type: 'text', text: mediaOfResult(part.name) }, ...media.map(mediaContent)];
}
