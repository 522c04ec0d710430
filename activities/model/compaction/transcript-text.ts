import { setImmediate as pause } from 'node:timers/promises';
import { type ContentPart, type Message, type Part, textOf } from '../../../agent/model/message';
import { omittedMedia } from '../../../agent/prompts/calls/results';
import { messagesSkipped } from '../../../agent/prompts/compaction';
import type { CountTokens } from '../window/count-tokens';

/** Characters of one text, and of one result of a tool, that are shown. */
const TEXT = 4000;
const RESULT = 2000;

/** Milliseconds of counting after which other work has its turn. */
const AT_ONCE = 20;

/**
 * Messages as one text of at most `room` tokens, for a model that sums them up. If they do not fit, the first stays,
 * which says what is wanted, and the newest.
 */
export async function transcriptText(
  messages: readonly Message[],
  { room, count }: { room: number; count: CountTokens },
): Promise<string> {
  const [first = '', ...blocks] = messages.map(block);
  let left = room - count(first).tokens;
  const shown: string[] = [];
  let since = performance.now();
  for (const text of blocks.toReversed()) {
    left -= count(text).tokens + 1;
    if (left < 0) break;
    shown.unshift(text);
    if (performance.now() - since < AT_ONCE) continue;
    await pause();
    since = performance.now();
  }
  const skipped = blocks.length - shown.length;
  return [first, ...(skipped === 0 ? [] : [messagesSkipped(skipped)]), ...shown].join('\n');
}

function block(message: Message): string {
  return message.parts.flatMap((part) => line(message.role, part)).join('\n');
}

function line(role: Message['role'], part: Part): string[] {
  switch (part.type) {
    case 'text':
      return [`${role}: ${cut(part.text, TEXT)}`];
    case 'media':
      return [`${role}: ${omittedMedia(part)}`];
    case 'tool_use':
      return [`${role} calls ${part.name} (${part.toolUseId}): ${cut(JSON.stringify(part.input), RESULT)}`];
    case 'tool_result': {
      const what = part.isError === true ? 'error' : 'result';
      return [`${what} of ${part.name} (${part.toolUseId}): ${cut(contentText(part.content), RESULT)}`];
    }
    case 'reasoning':
      return [];
  }
}

function contentText(content: readonly ContentPart[]): string {
  const media = content.flatMap((part) => (part.type === 'media' ? [omittedMedia(part)] : []));
  return [textOf({ parts: content }), ...media].join(' ').trim();
}

/** Keeps both ends: results often begin with a heading and end with a total. */
function cut(text: string, max: number): string {
  const characters = [...text];
  if (characters.length <= max) return text;
  const half = Math.floor(max / 2);
  return `${characters.slice(0, half).join('')} […] ${characters.slice(-half).join('')}`;
}
