import type { Message, Part } from '../model/message';
import type { SentSection } from '../protocol/calls/sent-sections';
import { USER_INPUT } from './places';

interface TurnMessage {
  /** What is sent of the transcript. */
  messages: readonly Message[];
  sections: readonly SentSection[];
  /** The message that is being answered. */
  asked: Message | undefined;
  turn: number;
}

/**
 * The messages of a call, with the sections of its turn message at the end: in front of the newest message where that was
 * said to the model, else as a message of their own. The messages before it stay as they are, so that the provider finds
 * them in its cache.
 */
export function withSections({ messages, sections, asked, turn }: TurnMessage): readonly Message[] {
  if (sections.length === 0) return messages;
  const last = messages.at(-1);
  if (last === undefined || !isSaid(last)) return [...messages, { role: 'user', parts: partsOf(sections), turn }];
  const after = sections.filter((section) => section.after === true);
  const own = last === asked ? sections.find(({ name }) => name === USER_INPUT) : undefined;
  const before = sections.filter((section) => section.after !== true && section !== own);
  const said =
    own === undefined ? last.parts : [...partsOf([own]), ...last.parts.filter(({ type }) => type !== 'text')];
  // Adapters put one line break between two texts.
  const gap = before.length > 0 ? '\n' : '';
  return [...messages.slice(0, -1), { ...last, parts: [...partsOf(before, gap), ...said, ...partsOf(after)] }];
}

/** Text of the message that is being answered: the one that opened the exchange, else the newest that was said. */
export function askedIn(messages: readonly Message[], opened = -1): Message | undefined {
  return messages[opened] ?? messages.findLast(isSaid);
}

/** What the sections are as one text. */
export function sectionsText(sections: readonly SentSection[]): string {
  return sections.map(({ text }) => text).join('\n\n');
}

/** Neither the result of a call, nor an answer of the model. */
function isSaid({ role, parts }: Message): boolean {
  return role === 'user' && !parts.some(({ type }) => type === 'tool_result');
}

function partsOf(sections: readonly SentSection[], end = ''): Part[] {
  return sections.length === 0 ? [] : [{ type: 'text', text: sectionsText(sections) + end }];
}
