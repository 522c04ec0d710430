import { BYTES } from '../../limits';
import type { MediaPart } from '../../model/message';
import { MAX_DEPTH } from '../../values/json-depth';

/*
 * What the model reads in the result of a call that succeeded, beside the result itself. `tool` is the name of the tool
 * as the model knows it.
 */

export function resultCut(shown: number, chars: number): string {
  return `[cut: the first ${shown} of ${chars} characters are shown]`;
}

export function resultTooLarge(tool: string, bytes: number): string {
  return (
    `The result of \`${tool}\` is ${bytes} bytes, more than the ${BYTES.result} that can be kept. The tool did run. ` +
    'Ask for less of it, page by page, or let it write a file and return the path.'
  );
}

export function resultTooDeep(tool: string): string {
  return (
    `The result of \`${tool}\` is nested deeper than ${MAX_DEPTH} levels, which cannot be kept. The tool did run. ` +
    'Ask for less of it, or let it write a file and return the path.'
  );
}

export function emptyResult(): string {
  return '(empty result)';
}

/** The result of a tool that returns nothing. */
export function nothingReturned(): string {
  return 'done';
}

/** @param input the arguments with which the call ran, as JSON */
export function argumentsEdited(input: string, by = 'A person'): string {
  return `${by} changed the arguments before the call ran, to: ${input}`;
}

/** Before the media of a result, which follow the results of an answer in a message of their own. */
export function mediaOfResult(tool: string): string {
  return `Media from the result of ${tool}:`;
}

/** Replaces media in the result of a tool. The media follow in a separate message. */
export function announcedMedia(part: MediaPart): string {
  return `[${describe(part)}: see the next user message]`;
}

/** Replaces media that the model has already seen. */
export function maskedMedia(part: MediaPart): string {
  return `[${describe(part)}: shown in an earlier call, left out here]`;
}

/** Replaces media where the protocol does not allow them, such as in the model's own messages. */
export function omittedMedia(part: MediaPart): string {
  return `[${describe(part)}]`;
}

/** Replaces media by an address that the server of the model does not open. */
export function unopenedMedia(part: MediaPart): string {
  return `[${describe(part)}, not shown here: ${part.url ?? ''}]`;
}

function describe(part: MediaPart): string {
  const [type = 'media'] = part.mediaType.split('/', 1);
  return `${type}, ${formatOf(part)}${part.name === undefined ? '' : `, "${part.name}"`}`;
}

/** The format that a media type names, such as `png`. */
export function formatOf({ mediaType }: Pick<MediaPart, 'mediaType'>): string {
  return mediaType.split('/')[1]?.split(/[;+]/, 1)[0] || 'bin';
}
