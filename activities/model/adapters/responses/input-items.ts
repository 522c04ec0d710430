import type { ResponseInputContent, ResponseInputItem } from 'openai/resources/responses/responses';
import type { ModelMessage } from '../../../../agent/model/adapter';
import type { ContentPart, MediaPart } from '../../../../agent/model/message';
import { emptyResult, formatOf } from '../../../../agent/prompts/calls/results';
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
  if (parts.every((part) => part.type === 'text')) return parts.map((part) => part.text).join('\n');
  return parts.map((part) => (part.type === 'text' ? { type: 'input_text', text: part.text } : mediaContent(part)));
}

/** There are images and files: a sound goes as a file, which servers may refuse. */
function mediaContent(part: MediaPart): ResponseInputContent {
  const { mediaType, data, url = '', name = `file.${formatOf(part)}` } = part;
  const embedded = data === undefined ? undefined : `data:${mediaType};base64,${data}`;
  if (mediaType.toLowerCase().startsWith('image/')) {
    return { type: 'input_image', image_url: embedded ?? url, detail: 'auto' };
  }
  // The API takes a name only with the content itself.
  if (embedded === undefined) return { type: 'input_file', file_url: url };
  return { type: 'input_file', filename: name, file_data: embedded };
}
