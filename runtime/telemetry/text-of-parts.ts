import type { Part } from '../../agent/model/message';

/** Parts as a text; for media only their type, since images do not belong in a span. */
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
