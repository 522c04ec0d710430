import { formatOf } from '../../prompts/calls/results';
import type { MediaPart } from '../message';
import type { ChatContent } from './chat-message';

const AUDIO: { readonly [mediaType: string]: 'wav' | 'mp3' } = {
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
};

/** A media part in the format of OpenAI's chat completions. */
export function mediaContent(part: MediaPart): ChatContent {
  const mediaType = part.mediaType.toLowerCase();
  const address = part.data === undefined ? (part.url ?? '') : `data:${part.mediaType};base64,${part.data}`;
  if (mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url: address } };
  const format = AUDIO[mediaType];
  if (format !== undefined && part.data !== undefined) {
    return { type: 'input_audio', input_audio: { data: part.data, format } };
  }
  const filename = part.name ?? `file.${formatOf(part)}`;
  return { type: 'file', file: { filename, file_data: address } };
}
