import type { ModelMessage } from '../../../agent/model/adapter';
import type { ContentPart } from '../../../agent/model/message';
import { remembered } from '../../../agent/values/remembered';

/** For providers that refuse animated GIFs, and the whole request with them: of each its first image is sent. */
export function stillImages(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map(stillMessage);
}

/** A message without animations is the same object: it was turned into a request before. */
const stillMessage = remembered((message: ModelMessage): ModelMessage => {
  if (message.role === 'assistant') return message;
  const content = message.content.map(stillPart);
  return content.some((part, at) => part !== message.content[at]) ? { ...message, content } : message;
});

function stillPart(part: ContentPart): ContentPart {
  if (part.type !== 'media' || part.data === undefined || !/^image\/gif\b/i.test(part.mediaType)) return part;
  const bytes = Buffer.from(part.data, 'base64');
  const end = endOfFirst(bytes);
  if (end === undefined) return part;
  return { ...part, data: Buffer.concat([bytes.subarray(0, end), Buffer.of(TRAILER)]).toString('base64') };
}

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
/** Bytes of the signature and of what describes the screen. */
const HEADER = 13;

/** Where the first image of an animated GIF ends; `undefined` for one image, and for what is not a GIF or is cut. */
function endOfFirst(bytes: Buffer): number | undefined {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined;
  let end: number | undefined;
  let at = HEADER + colorsAt(bytes, 10);
  while (at < bytes.length) {
    if (bytes[at] === EXTENSION) at = endOfBlocks(bytes, at + 2);
    else if (bytes[at] !== IMAGE) return undefined;
    else if (end !== undefined) return end;
    else {
      at = endOfBlocks(bytes, at + 11 + colorsAt(bytes, at + 9));
      end = at;
    }
  }
  return undefined;
}

/** Bytes of the table of colours that a field of flags tells of. */
function colorsAt(bytes: Buffer, at: number): number {
  const flags = bytes[at] ?? 0;
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** The end of a list of blocks, each of which begins with its length; the last one is empty. */
function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += 1 + length;
  return at + 1;
}
