import { isJsonObject, type Json, type JsonObject } from '../../../../agent/values/json';
import { isNestedDeeper } from '../../../../agent/values/json-depth';
import { imageType } from '../../../image-type';

/**
 * A block of content as the protocol describes it. What fits no type becomes text: the tool has run, and the rest of its
 * result is of use.
 */
export function mendBlock(given: Json): JsonObject {
  if (!isJsonObject(given)) return text(given);
  const block = withoutNulls(given);
  const known = knownBlock(block);
  // Annotations are not used, and the parser refuses a result for an unknown one.
  if (known !== undefined) return isJsonObject(block._meta) ? { ...known, _meta: block._meta } : known;
  return isNestedDeeper(block) ? block : text(block);
}

function knownBlock(block: JsonObject): JsonObject | undefined {
  const { data, mimeType, resource, uri, name } = block;
  switch (block.type ?? typeOf(block)) {
    case 'text':
      return block.text === undefined || isNestedDeeper(block.text) ? undefined : text(block.text);
    case 'image':
      return media('image', data, mimeType);
    case 'audio':
      return media('audio', data, mimeType);
    case 'resource':
      return typeof resource === 'string' ? text(resource) : isJsonObject(resource) ? embedded(resource) : undefined;
    case 'resource_link':
      return typeof uri === 'string' ? link(uri, name) : undefined;
    default:
      return undefined;
  }
}

/** The type of a block that does not say it. */
function typeOf({ text, data, mimeType }: JsonObject): string | undefined {
  if (typeof text === 'string') return 'text';
  const [, kind] = /^(image|audio)\//.exec(String(mimeType)) ?? [];
  return typeof data === 'string' ? kind : undefined;
}

function text(value: Json): JsonObject {
  return { type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) };
}

function link(uri: string, name: Json | undefined): JsonObject {
  return { type: 'resource_link', uri, name: typeof name === 'string' ? name : uri };
}

function media(type: 'image' | 'audio', data: Json | undefined, mimeType: Json | undefined): JsonObject | undefined {
  const bytes = mendBase64(data);
  return bytes && { type, data: bytes.data, mimeType: mediaType(bytes, mimeType) ?? 'application/octet-stream' };
}

function embedded(given: JsonObject): JsonObject | undefined {
  const { uri = '', name, mimeType, text: said, blob } = withoutNulls(given);
  if (typeof uri !== 'string' || isNestedDeeper(said)) return undefined;
  if (said !== undefined) return { type: 'resource', resource: { uri, text: text(said).text as string } };
  const bytes = mendBase64(blob);
  if (bytes === undefined) return blob === undefined && uri !== '' ? link(uri, name) : undefined;
  const type = mediaType(bytes, mimeType);
  return { type: 'resource', resource: { uri, blob: bytes.data, ...(type === undefined ? {} : { mimeType: type }) } };
}

interface Bytes {
  /** Base64. */
  data: string;
  /** The type in its `data:` prefix. */
  type?: string;
}

/** Base64 without a prefix, line breaks and the letters of its form for URLs, and with its padding. */
function mendBase64(given: Json | undefined): Bytes | undefined {
  if (typeof given !== 'string') return undefined;
  const [prefix = '', type = ''] = /^\s*data:([^;,]{0,100})[^,]{0,100};base64,/i.exec(given.slice(0, 300)) ?? [];
  const letters = given
    .slice(prefix.length)
    .replace(/\s+/g, '')
    .replace(/-/g, '+')
    .replace(/_/g, '/')
    .replace(/=+$/, '');
  if (!/^[A-Za-z0-9+/]*$/.test(letters) || letters.length % 4 === 1) return undefined;
  return { data: letters.padEnd(Math.ceil(letters.length / 4) * 4, '='), ...(type === '' ? {} : { type }) };
}

/** What the bytes are counts more than what the server calls them: APIs of models refuse an image of another type. */
function mediaType({ data, type }: Bytes, mimeType: Json | undefined): string | undefined {
  const named = typeof mimeType === 'string' && mimeType.includes('/') ? mimeType : type;
  return imageType(Buffer.from(data.slice(0, 16), 'base64')) ?? named;
}

export function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
