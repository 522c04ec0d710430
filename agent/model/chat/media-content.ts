import { formatOf, omittedMedia, unopenedMedia } from '../../prompts/calls/results';
import type { MediaPart } from '../message';
import type { ChatContent } from './chat-message';

const AUDIO: { readonly [mediaType: string]: 'wav' | 'mp3' } = {
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
};

/**
 * A media part in the format of OpenAI's chat completions. They take only images by address. What a server would refuse is
 * a text, which says what there is.
 * @param opensFiles the server takes documents by address, too
 */
export function mediaContent(part: MediaPart, opensFiles = false): ChatContent {
  const mediaType = part.mediaType.toLowerCase();
  if (isDrawing(part)) return { type: 'text', text: omittedMedia(part) };
  const address = part.data === undefined ? (part.url ?? '') : `data:${part.mediaType};base64,${part.data}`;
  if (mediaType.startsWith('image/')) return { type: 'image_url', image_url: { url: address } };
  const format = AUDIO[mediaType];
  if (format !== undefined && part.data !== undefined) {
    return { type: 'input_audio', input_audio: { data: part.data, format } };
  }
  const isOpened = part.data !== undefined || (opensFiles && !/^(audio|video)\//.test(mediaType));
  if (!isOpened) return { type: 'text', text: unopenedMedia(part) };
  const filename = part.name ?? `file.${formatOf(part)}`;
  return { type: 'file', file: { filename, file_data: address } };
}

/** An image that no provider takes: it is a program that draws. */
export function isDrawing({ mediaType }: MediaPart): boolean {
  return mediaType.toLowerCase().startsWith('image/svg');
}
