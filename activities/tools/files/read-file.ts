import type { ContentPart } from '../../../agent/model/message';
import { emptyFile, imageTooLarge, isBinary, isFolder, pastEnd, pieceOfFile } from '../../../agent/prompts/tools/files';
import { imageType } from '../../image-type';
import { type Area, openInside, PathRefused } from './inside-root';

/** Bytes of one call: below the 1 MB limit of a result, with room for escapes. */
const MAX_BYTES = 512 * 1024;

/** A file of the area: its text from byte `offset`, or an image as a part. Other binary files are refused. */
export function readFile(area: Area, path: string, offset: number): Promise<ContentPart[]> {
  return openInside(area, path, async (file) => {
    const stat = await file.stat();
    if (stat.isDirectory()) throw new PathRefused(isFolder(path));
    if (offset > 0 && offset >= stat.size) {
      throw new PathRefused(pastEnd(path, { bytes: stat.size, offset }));
    }
    const buffer = Buffer.alloc(Math.min(MAX_BYTES, Math.max(0, stat.size - offset)));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    const bytes = buffer.subarray(0, bytesRead);
    const mediaType = offset === 0 ? imageType(bytes) : undefined;
    if (mediaType !== undefined) return [image(bytes, stat.size, mediaType, path)];
    if (bytes.includes(0)) throw new PathRefused(isBinary(path, stat.size));
    const end = offset + wholeCharacters(bytes);
    const text = bytes.toString('utf8', 0, end - offset);
    const more = end < stat.size ? `\n${pieceOfFile({ from: offset, to: end, bytes: stat.size })}` : '';
    return [{ type: 'text', text: text + more || emptyFile() }];
  });
}

function image(bytes: Buffer, size: number, mediaType: string, path: string): ContentPart {
  if (bytes.length < size) throw new PathRefused(imageTooLarge(path, size));
  return { type: 'media', mediaType, data: bytes.toString('base64'), name: path };
}

/** Length without a character that the end of the buffer cuts in two. */
function wholeCharacters(bytes: Buffer): number {
  if (bytes.length < MAX_BYTES) return bytes.length;
  let end = bytes.length;
  // A character has at most three bytes after its first one.
  for (let i = 1; i <= 4; i++) {
    const byte = bytes[bytes.length - i] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (needs > i) end = bytes.length - i;
    break;
  }
  return end;
}
