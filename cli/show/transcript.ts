import type { ContentPart, MediaPart, Message, Part } from '../../agent/model/message';
import { visible, visibleJson } from '../../agent/values/visible';
import { oneLine } from '../lines/facts/fact-line';

/** Maximum characters of a text without `full`. */
const WIDTH = 300;

/** A transcript for people: a line for each message and for each of its parts. `full`: texts are not shortened. */
export function transcriptLines(messages: readonly Message[], full = false): string[] {
  return messages.flatMap(({ role, turn, parts, partial }, index) => [
    `${String(index).padStart(4)}  turn ${turn}  ${role}${partial === true ? ', cut short' : ''}`,
    ...parts.flatMap((part) => indented(partText(part, full))),
  ]);
}

function partText(part: Part, full: boolean): string {
  const shown = (text: string) => (full ? visible(text) : oneLine(visible(text), WIDTH));
  switch (part.type) {
    case 'text':
      return shown(part.text);
    case 'reasoning':
      return `(thinks) ${shown(part.text)}`;
    case 'media':
      return mediaText(part);
    case 'tool_use':
      return `→ ${part.toolUseId} ${visible(part.name)} ${part.rawInput === undefined ? shown(visibleJson(part.input)) : `not JSON: ${shown(part.rawInput)}`}`;
    case 'tool_result': {
      const content = part.content.map((inner) => partText(inner, full)).join(full ? '\n' : ' ');
      return `← ${part.toolUseId} ${visible(part.name)}${part.isError ? ' failed' : ''}: ${full ? content : oneLine(content, WIDTH)}`;
    }
  }
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `      ${line}`);
}

/** A text in place of media: type, name, and size or address. */
export function mediaText(part: Extract<ContentPart, MediaPart>): string {
  const size = part.data === undefined ? undefined : `${Buffer.byteLength(part.data, 'base64')} bytes`;
  const said = [part.mediaType, part.name, size ?? part.url].filter((text) => text !== undefined);
  return `[${visible(said.join(', '))}]`;
}
