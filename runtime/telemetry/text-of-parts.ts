import type { Part } from '../../agent/model/message';

/** Parts as a text; of media only what they are, since a span is no place for an image. */
export function textOfParts(parts: readonly Part[]): string {
  return parts.map(textOfPart).join('\n');
}

function textOfPart(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'media':
      return `[${part.mediaType}]`;
    case 'tool_use':
      return `${part.name}(${JSON.stringify(part.input)})`;
    case 'tool_result':
      return textOfParts(part.content);
  }
}
