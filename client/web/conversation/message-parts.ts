import { isDataUIPart, isReasoningUIPart, isTextUIPart, isToolUIPart } from 'ai';
import { approvalFor, type CallPart } from '../calls/call-state';
import type { ApprovalData, ChatData, ChatMessage, QuestionData } from './chat-message';

/** One block of a message as it is shown. */
export type Block =
  | { kind: 'text'; key: string; text: string; done: boolean }
  | { kind: 'thinking'; key: string; text: string; done: boolean }
  | {
      kind: 'call';
      key: string;
      part: CallPart;
      approval: ApprovalData | undefined;
      progress: ChatData['progress'] | undefined;
    }
  | { kind: 'question'; key: string; question: QuestionData }
  | { kind: 'file'; key: string; mediaType: string; url: string; name: string | undefined };

/** The blocks of a message, without texts that were withdrawn. */
export function blocksOf({ parts }: ChatMessage): Block[] {
  const hidden = withdrawnParts(parts);
  return parts.flatMap((part, i): Block[] => {
    const key = `${i}`;
    if (hidden.has(i)) return [];
    if (isTextUIPart(part)) return part.text === '' ? [] : [{ kind: 'text', key, ...textOf(part) }];
    if (isReasoningUIPart(part)) return part.text.trim() === '' ? [] : [{ kind: 'thinking', key, ...textOf(part) }];
    if (isToolUIPart(part)) {
      const { toolCallId } = part;
      return [
        {
          kind: 'call',
          key: toolCallId,
          part,
          approval: approvalFor(parts, toolCallId),
          progress: progressOf(parts, toolCallId),
        },
      ];
    }
    if (part.type === 'file') {
      return [{ kind: 'file', key, mediaType: part.mediaType, url: part.url, name: part.filename }];
    }
    if (part.type === 'data-question') return [{ kind: 'question', key: part.data.questionId, question: part.data }];
    return [];
  });
}

/** The answer as text, for a screen reader and for copying. */
export function answerText(message: ChatMessage): string {
  return blocksOf(message)
    .flatMap((block) => (block.kind === 'text' ? [block.text] : []))
    .join('\n\n');
}

/** The newest data part of a kind. */
export function lastData<Kind extends 'status' | 'plan' | 'spent'>(
  { parts }: ChatMessage,
  kind: Kind,
): ChatData[Kind] | undefined {
  const found = parts.findLast((part) => isDataUIPart(part) && part.type === `data-${kind}`);
  return found !== undefined && 'data' in found ? (found.data as ChatData[Kind]) : undefined;
}

/** Indices of the texts that no longer count. A text part has no id: the withdrawal repeats its text. */
function withdrawnParts(parts: ChatMessage['parts']): Set<number> {
  const hidden = new Set<number>();
  parts.forEach((part, at) => {
    if (part.type !== 'data-withdrawn') return;
    const { text } = part.data;
    for (let i = at - 1; i >= 0; i--) {
      const before = parts[i];
      if (before === undefined || hidden.has(i) || !(isTextUIPart(before) || isReasoningUIPart(before))) continue;
      if (text !== undefined && before.text !== text) continue;
      hidden.add(i);
      break;
    }
  });
  return hidden;
}

function textOf({ text, state }: { text: string; state?: 'streaming' | 'done' }) {
  return { text, done: state !== 'streaming' };
}

function progressOf(parts: ChatMessage['parts'], toolCallId: string): ChatData['progress'] | undefined {
  for (const part of parts) if (part.type === 'data-progress' && part.data.toolCallId === toolCallId) return part.data;
  return undefined;
}
