import type { MediaPart } from '../../../../../agent/model/message';
import { defined } from '../../../../../agent/values/defined';
import { ModelServerError } from '../../../failures/server-error';
import type { Specification } from '../language-model';
import type { FilePart, ResultPiece } from './prompt-form';

/** Media in a message of the user. */
export function filePart(part: MediaPart, version: Specification): FilePart {
  const { data, url = '', name } = part;
  const mediaType = knownType(part);
  const isTagged = version === 'v4';
  const source =
    data === undefined
      ? isTagged
        ? { type: 'url' as const, url: addressOf(url) }
        : addressOf(url)
      : isTagged
        ? { type: 'data' as const, data }
        : data;
  return { type: 'file', data: source, mediaType, ...defined({ filename: name }) };
}

/** Media in the result of a tool; `undefined` where the specification has no form for them. */
export function resultPiece(part: MediaPart, version: Specification): ResultPiece | undefined {
  const { data, url = '', name } = part;
  const mediaType = knownType(part);
  const filename = defined({ filename: name });
  if (version === 'v4') return { ...filePart(part, version), type: 'file' };
  if (version === 'v2') return data === undefined ? undefined : { type: 'media', data, mediaType };
  const isImage = mediaType.startsWith('image/');
  if (data === undefined) {
    const address = addressOf(url).href;
    return isImage ? { type: 'image-url', url: address } : { type: 'file-url', url: address, mediaType };
  }
  return isImage ? { type: 'image-data', data, mediaType } : { type: 'file-data', data, mediaType, ...filename };
}

/** Anthropic refuses the other name of JPEG. */
function knownType({ mediaType }: MediaPart): string {
  return mediaType.toLowerCase() === 'image/jpg' ? 'image/jpeg' : mediaType;
}

function addressOf(url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  throw new ModelServerError(`the media part has no data, and \`${url.slice(0, 200)}\` is not an absolute URL`, {
    code: 'invalid_request_error',
  });
}
