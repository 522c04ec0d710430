import { isReasoningUIPart, isTextUIPart, isToolUIPart } from 'ai';
import { type Money, sumOf } from '../../../../agent/model/cost/money';
import type { UnreadMessage } from '../../../../agent/state/run-state';
import { approvalFor, type CallPart } from '../../calls/call-state';
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
      /** It asks a person a question, which is open. */
      asks: boolean;
      progress: ChatData['progress'] | undefined;
    }
  | { kind: 'steer'; key: string; text: string }
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
          asks: asksNow(parts, toolCallId),
          progress: progressOf(parts, toolCallId),
        },
      ];
    }
    if (part.type === 'file') {
      return [{ kind: 'file', key, mediaType: part.mediaType, url: part.url, name: part.filename }];
    }
    if (part.type === 'data-steer') return [{ kind: 'steer', key, text: part.data.text }];
    if (part.type === 'data-question') return [{ kind: 'question', key: part.data.questionId, question: part.data }];
    return [];
  });
}

/** A call may ask several questions, one after the other. */
function asksNow(parts: ChatMessage['parts'], toolCallId: string): boolean {
  return parts.some(
    (part) => part.type === 'data-question' && part.data.toolCallId === toolCallId && part.data.status === 'open',
  );
}

/** What the agent said last: what it said before its calls has been there for a while. */
export function lastWords(message: ChatMessage): string {
  const last = blocksOf(message).findLast((block) => block.kind === 'text');
  return last?.kind === 'text' ? last.text : '';
}

/** The answer as text, for copying. */
export function answerText(message: ChatMessage): string {
  return blocksOf(message)
    .flatMap((block) => (block.kind === 'text' ? [block.text] : []))
    .join('\n\n');
}

/** Those of a person's texts that the model has not read yet. */
export function unreadSteers<Said extends { text: string }>(
  steers: readonly Said[],
  message: ChatMessage | undefined,
): Said[] {
  const read = message?.parts.flatMap((part) => (part.type === 'data-steer' ? part.data.text.split('\n') : [])) ?? [];
  return steers.filter(({ text }) => !text.split('\n').every((line) => read.includes(line)));
}

/** What others have said, or the same person elsewhere, and the model has not read yet. */
export function unreadOfOthers(
  unread: readonly UnreadMessage[],
  { own, messages }: { own: readonly { id: string }[]; messages: readonly ChatMessage[] },
): UnreadMessage[] {
  const shown = new Set([...own, ...messages].map(({ id }) => id));
  const others = unread.filter(({ id }) => id === undefined || !shown.has(id));
  // The state may be a moment behind the stream.
  return others.filter((one) => !one.steers || unreadSteers([one], messages.at(-1)).length > 0);
}

/** What is going on besides, in words. */
export function statusOf({ parts }: ChatMessage): string | undefined {
  return parts.findLast((part) => part.type === 'data-status')?.data.text;
}

/** A step of a plan, with where it is. */
export interface Step {
  step: number;
  description: string;
  status: string;
}

/** The steps of the plan, if the message has one. */
export function planOf({ parts }: ChatMessage): Step[] | undefined {
  const plan = parts.findLast((part) => part.type === 'data-plan')?.data;
  const states = parts.flatMap((part) => (part.type === 'data-plan-step' ? [part.data] : []));
  return plan?.steps.map(({ step, description }) => {
    const status = states.findLast((state) => state.step === step)?.status ?? 'planned';
    return { step, description, status };
  });
}

/** What all model calls of a message used: tokens, and money by currency. */
export function spentOf({ parts }: ChatMessage): { tokens: number; costs: Money[] } {
  let tokens = 0;
  const costs = new Map<string, number>();
  for (const part of parts) {
    if (part.type !== 'data-spent') continue;
    const { usage, cost } = part.data;
    tokens += (usage?.prompt ?? 0) + (usage?.completion ?? 0);
    if (cost !== undefined) costs.set(cost.currency, sumOf(costs.get(cost.currency) ?? 0, cost.amount));
  }
  return { tokens, costs: [...costs].map(([currency, amount]) => ({ amount, currency })) };
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
