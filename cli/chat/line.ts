import type { ContentPart, Message, Part } from '../../agent/model/message';
import type { Json } from '../../agent/values/json';
import { visible, visibleJson } from '../../agent/values/visible';
import { oneLine } from '../lines/fact-line';
import { mediaText } from '../show/transcript';

/** What a line of a chat is about: how it looks follows from it. */
export type Tone =
  | 'you'
  | 'other'
  | 'text'
  | 'withdrawn'
  | 'thinks'
  | 'call'
  | 'result'
  | 'asks'
  | 'note'
  | 'warning'
  | 'error'
  | 'usage';

/** A line of a chat, which may have line feeds and be of any length. */
export interface ChatLine {
  tone: Tone;
  text: string;
  /** It goes on where the line before it ended. */
  more?: true;
}

export function chatLine(tone: Tone, text: string): ChatLine {
  return { tone, text: shown(text) };
}

/** A text of unknown origin as a terminal can show it; a tab has no width of its own. */
export function shown(text: string): string {
  return visible(text).replace(/\t/g, '  ');
}

/** Characters of the arguments of a call, and of one line of its result. */
const SHORT = 160;
/** Lines of a result. */
const LINES = 3;

export function callText(name: string, input: Json): string {
  return oneLine(visible(`${name} ${visibleJson(input)}`), SHORT);
}

/** The beginning of a result. */
export function resultText(content: readonly ContentPart[]): string {
  const text = content.map((part) => (part.type === 'text' ? part.text : mediaText(part))).join('\n');
  const lines = shown(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const first = lines.slice(0, LINES).map((line) => (line.length > SHORT ? `${line.slice(0, SHORT - 1)}…` : line));
  const left = lines.length - first.length;
  return [...first, ...(left === 0 ? [] : [`… ${left} more ${left === 1 ? 'line' : 'lines'}`])].join('\n');
}

/** An answer as people read it. */
export function answerText(data: Json): string {
  return typeof data === 'string' ? data : JSON.stringify(data, null, 2);
}

/** Messages of a transcript: what was said, which calls were made and what they gave. */
export function messageLines(messages: readonly Message[]): ChatLine[] {
  return messages.flatMap((message) => message.parts.flatMap((part) => partLines(part, message)));
}

function partLines(part: Part, { role, partial }: Message): ChatLine[] {
  const who = role === 'user' ? 'you' : partial ? 'withdrawn' : 'text';
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [chatLine(who, part.text)];
    case 'media':
      return [chatLine(who, mediaText(part))];
    case 'tool_use':
      return [chatLine('call', callText(part.name, part.input))];
    case 'tool_result':
      return [chatLine(part.isError ? 'error' : 'result', resultText(part.content))];
    case 'reasoning':
      return [];
  }
}
