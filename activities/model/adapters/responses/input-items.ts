import type { ResponseInputContent, ResponseInputItem } from 'openai/resources/responses/responses';
import type { ModelMessage } from '../../../../agent/model/adapter';
import { isUnseen } from '../../../../agent/model/chat/media-content';
import type { ContentPart, MediaPart } from '../../../../agent/model/message';
import { emptyResult, formatOf, omittedMedia, unopenedMedia } from '../../../../agent/prompts/calls/results';
import { remembered } from '../../../../agent/values/remembered';
import { answerItems } from './answer-items';

/** Messages as the items of a request. */
export function inputItems(messages: readonly ModelMessage[]): ResponseInputItem[] {
  return messages.flatMap(itemsOf);
}

/** The items of one message. Each later call of a run sends them again. */
const itemsOf = remembered((message: ModelMessage): ResponseInputItem[] => {
  if (message.role === 'assistant') return answerItems(message);
  const content = contentOf(message.content);
  if (message.role === 'user') return [{ role: 'user', content }];
  // Servers reject an empty result.
  return [{ type: 'function_call_output', call_id: message.id, output: content.length > 0 ? content : emptyResult() }];
});

function contentOf(parts: readonly ContentPart[]): string | ResponseInputContent[] {
  // Every server understands a plain text, but not every server a list of parts.
  const shown = parts.map((part) => (part.type === 'text' ? inputText(part.text) : mediaContent(part)));
  return shown.every((part) => part.type === 'input_text') ? shown.map((part) => part.text).join('\n') : shown;
}

const inputText = (text: string) => ({ type: 'input_text' as const, text });

/** There are images and documents. What a server would refuse is a text, which says what there is. */
function mediaContent(part: MediaPart): ResponseInputContent {
  const { mediaType, data, url = '', name = `file.${formatOf(part)}` } = part;
  if (isUnseen(part) || /^(audio|video)\//i.test(mediaType)) {
    return inputText(data === undefined && url !== '' ? unopenedMedia(part) : omittedMedia(part));
  }
  const embedded = data === undefined ? undefined : `data:${mediaType};base64,${data}`;
  if (mediaType.toLowerCase().startsWith('image/')) {
    return { type: 'input_image', image_url: embedded ?? url, detail: 'auto' };
  }
  // The API takes a name only with the content itself.
  if (embedded === undefined) return { type: 'input_file', file_url: url };
  return { type: 'input_file', filename: name, file_data: embedded };
}
