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

/** Replaces media that the model has already seen. */
export function maskedMedia(part: MediaPart): string {
  return `[${describe(part)}: shown in an earlier call, left out here]`;
}

/** Replaces media in a tool's message; the media follow in a separate message. */
export function announcedMedia(part: MediaPart): string {
  return `[${describe(part)}: see the next user message]`;
}

/** Replaces media where the protocol does not allow them, such as in the model's own messages. */
export function omittedMedia(part: MediaPart): string {
  return `[${describe(part)}]`;
}

function describe(part: MediaPart): string {
  const [type = 'media'] = part.mediaType.split('/', 1);
  return `${type}, ${formatOf(part)}${part.name === undefined ? '' : `, "${part.name}"`}`;
}

function formatOf(part: MediaPart): string {
  return part.mediaType.split('/')[1]?.split(/[;+]/, 1)[0] || 'bin';
}
