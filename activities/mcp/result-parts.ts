import type { MediaPart, TextPart } from '../../agent/model/message';
import { canonicalJson, isJsonObject } from '../../agent/values/json';
import { isNestedDeeper } from '../../agent/values/json-depth';
import type { McpContent, McpResult } from './open-server';

/** A result as parts of a message. */
export function resultParts({ content, structuredContent }: McpResult): (TextPart | MediaPart)[] {
  const parts = content.map(part);
  if (structuredContent === undefined || structuredContent === null || isSaid(structuredContent, content)) return parts;
  return [...parts, { type: 'text', text: JSON.stringify(structuredContent) }];
}

function part(content: McpContent): TextPart | MediaPart {
  switch (content.type) {
    case 'text':
      return { type: 'text', text: content.text };
    case 'image':
    case 'audio':
      return { type: 'media', mediaType: content.mimeType, data: content.data };
    case 'resource': {
      const { resource } = content;
      if ('text' in resource) return { type: 'text', text: resource.text };
      const mediaType = resource.mimeType ?? 'application/octet-stream';
      return { type: 'media', mediaType, data: resource.blob, ...(resource.uri === '' ? {} : { name: resource.uri }) };
    }
    case 'resource_link':
      return { type: 'text', text: `${content.name} (${content.uri})` };
  }
}

/**
 * Whether the content already says what the structured content does. Servers send the same data twice in several ways:
 * as JSON text, as the text itself under one key (`{content: text}`, `{result: text}`), as one text for each element of
 * a list, or as the same content blocks under one key, images included.
 */
function isSaid(structured: unknown, content: McpContent[]): boolean {
  if (content.length === 0) return false;
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const values = texts.map(jsonOrText);
  const said = new Set([...texts, ...values, texts.join('\n'), texts.join(''), values, content].map(canonicalJson));
  const only = isJsonObject(structured) ? Object.values(structured) : [];
  return said.has(canonicalJson(structured)) || (only.length === 1 && said.has(canonicalJson(only[0])));
}

function jsonOrText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isNestedDeeper(value) ? text : value;
  } catch {
    return text;
  }
}
