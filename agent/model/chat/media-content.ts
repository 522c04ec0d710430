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
  if (isUnseen(part)) return { type: 'text', text: omittedMedia(part) };
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

/** Types of images that OpenAI, Anthropic and servers with their protocols take; `*`: the type is not known. */
const SEEN = /^image\/(png|jpe?g|gif|webp|\*)$/;

/**
 * An image that the provider refuses, and the whole request with it: a drawing (SVG), BMP, TIFF, HEIC, AVIF.
 * @param seen types of images that the provider takes
 */
export function isUnseen({ mediaType }: MediaPart, seen = SEEN): boolean {
  const [type = ''] = mediaType.toLowerCase().split(';', 1);
  return type.startsWith('image/') && !seen.test(type.trim());
}
