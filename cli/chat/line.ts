import type { ContentPart, Message, Part } from '../../agent/model/message';
import type { Json } from '../../agent/values/json';
import { visible, visibleJson } from '../../agent/values/visible';
import { oneLine } from '../lines/facts/fact-line';
import { mediaText } from '../show/transcript';

/** The kind of a chat line, which decides how the line looks. */
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

/** A line of a chat. It may contain line feeds and have any length. */
export interface ChatLine {
  tone: Tone;
  text: string;
  /** It continues the line before it. */
  more?: true;
}

export function chatLine(tone: Tone, text: string): ChatLine {
  return { tone, text: shown(text) };
}

/** A text of unknown origin, safe for a terminal. Tabs become spaces, since a tab has no fixed width. */
export function shown(text: string): string {
  return visible(text).replace(/\t/g, '  ');
}

/** Maximum characters of a call's arguments, and of one line of its result. */
const SHORT = 160;
/** Maximum lines of a result. */
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

/** An answer for people. */
export function answerText(data: Json): string {
  return typeof data === 'string' ? data : JSON.stringify(data, null, 2);
}

/** The lines of a transcript: texts, calls and their results. */
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
      return [chatLine('call', callText(part.name, part.rawInput ?? part.input))];
    case 'tool_result':
      return [chatLine(part.isError ? 'error' : 'result', resultText(part.content))];
    case 'reasoning':
      return [];
  }
}
