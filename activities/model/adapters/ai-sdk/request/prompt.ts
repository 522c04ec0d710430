import type { ModelMessage } from '../../../../../agent/model/adapter';
import { isUnseen } from '../../../../../agent/model/chat/media-content';
import type { ContentPart, MediaPart } from '../../../../../agent/model/message';
import {
  announcedMedia,
  emptyResult,
  mediaOfResult,
  omittedMedia,
  unopenedMedia,
} from '../../../../../agent/prompts/calls/results';
import { isJsonObject } from '../../../../../agent/values/json';
import type { Dialect } from './dialect';
import { divided, optionsOf } from './divided-texts';
import { filePart, resultPiece } from './media-forms';
import type { IsOpened } from './opened-urls';
import {
  type AssistantPart,
  type FilePart,
  type PromptMessage,
  type ResultPiece,
  TEXT_DATA,
  TEXTS_DATA,
  type TextPart,
  type ToolResult,
} from './prompt-form';

/** How a provider takes media. */
type PromptDialect = Pick<Dialect, 'version' | 'holdsMedia' | 'takesMedia' | 'images' | 'holdsUrls'> & {
  isOpened: IsOpened;
};

type Sent<Role extends ModelMessage['role']> = Extract<ModelMessage, { role: Role }>;

/** The transcript as a prompt. Results of one answer are one message: some providers want as many results as calls. */
export function promptOf(messages: readonly ModelMessage[], dialect: PromptDialect): PromptMessage[] {
  const out: PromptMessage[] = [];
  // Media that cannot be in a result wait here until the batch is over: a call and its results must not be separated.
  let waiting: (TextPart | FilePart)[] = [];
  const flush = () => {
    if (waiting.length > 0) out.push({ role: 'user', content: waiting });
    waiting = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      const { result, beside } = toolResult(message, dialect);
      const last = out.at(-1);
      if (last?.role === 'tool') last.content.push(result);
      else out.push({ role: 'tool', content: [result] });
      if (beside.length > 0) waiting.push(text(mediaOfResult(message.name)), ...beside);
      continue;
    }
    flush();
    if (message.role === 'user') out.push({ role: 'user', content: userContent(message.content, dialect) });
    else {
      const content = assistantContent(message);
      // Nothing is left of an answer of which only reasoning had arrived.
      if (content.length > 0) out.push({ role: 'assistant', content });
    }
  }
  flush();
  return out;
}

const text = (said: string) => ({ type: 'text' as const, text: said });

/** Anthropic and Bedrock refuse a text without anything but blanks. Other models write one before their calls. */
const isBlank = (said: string) => said.trim() === '';

function userContent(parts: readonly ContentPart[], dialect: PromptDialect): (TextPart | FilePart)[] {
  const shown = parts.filter((part) => part.type === 'media' || !isBlank(part.text));
  // Providers reject a message without content.
  return (shown.length > 0 ? shown : [text(emptyResult())]).map((part) =>
    part.type === 'text' ? text(part.text) : (unsent(part, dialect) ?? filePart(part, dialect.version)),
  );
}

/** What a model reads of media that its provider would refuse. */
function unsent(part: MediaPart, { isOpened, images }: PromptDialect): TextPart | undefined {
  if (isUnseen(part, images)) return text(omittedMedia(part));
  return isOpened(part) ? undefined : text(unopenedMedia(part));
}

function assistantContent({ content, providerData, reasoningField }: Sent<'assistant'>): AssistantPart[] {
  const out: AssistantPart[] = [];
  for (const part of content) {
    if (part.type === 'media') out.push(text(omittedMedia(part)));
    else if (part.type === 'call') {
      const { id, name, input } = part;
      out.push({ type: 'tool-call', toolCallId: id, toolName: name, input, ...optionsOf(part.providerData) });
    } else if (part.type === 'reasoning') {
      // Another model's reasoning means nothing to this one.
      if (part.providerData === undefined && reasoningField === undefined) continue;
      out.push({ type: 'reasoning', text: part.text, ...optionsOf(part.providerData) });
      // What its provider gave beside its texts is found again by their lengths.
    } else if (!isBlank(part.text) || (providerData !== undefined && part.text !== '')) out.push(text(part.text));
  }
  // Reasoning that led to nothing: Anthropic and OpenAI refuse an answer that ends with it, and packages leave out what is not signed.
  while (out.at(-1)?.type === 'reasoning') out.pop();
  const data = providerData?.[TEXT_DATA];
  const texts = out.filter((part) => part.type === 'text');
  // It belongs to the only text of an answer.
  if (isJsonObject(data) && texts.length === 1) Object.assign(texts[0] ?? {}, optionsOf(data));
  return divided(out, providerData?.[TEXTS_DATA]);
}

function toolResult(
  message: Sent<'tool'>,
  { version, holdsMedia, takesMedia, images, holdsUrls, isOpened }: PromptDialect,
): { result: ToolResult; beside: FilePart[] } {
  const { id, name: toolName, content, isError } = message;
  const inside: ResultPiece[] = [];
  const beside: FilePart[] = [];
  const said: string[] = [];
  const named: string[] = [];
  for (const part of content) {
    if (part.type === 'text') {
      if (!isBlank(part.text)) said.push(part.text);
      continue;
    }
    // Errors hold a text only.
    const isSent = isOpened(part) && !isUnseen(part, images);
    const isHeld = !isError && isSent && (holdsUrls || part.data !== undefined) && holdsMedia(part.mediaType);
    const piece = isHeld ? resultPiece(part, version) : undefined;
    const isBeside = isSent && piece === undefined && takesMedia(part.mediaType);
    if (isBeside) beside.push(filePart(part, version));
    else if (piece !== undefined) inside.push(piece);
    named.push(isBeside ? announcedMedia(part) : omittedMedia(part));
  }
  // One text: some providers make a result of each. Never none: some make no result of media alone.
  const value =
    (said.length === 0 || inside.length < named.length ? [...said, ...named] : said).join('\n') || emptyResult();
  const output: ToolResult['output'] = isError
    ? { type: 'error-text', value }
    : inside.length === 0
      ? { type: 'text', value }
      : { type: 'content', value: [text(value), ...inside] };
  return { result: { type: 'tool-result', toolCallId: id, toolName, output }, beside };
}
