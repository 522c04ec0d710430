import type { DynamicToolUIPart, ToolUIPart } from 'ai';
import type { ApprovalData, ChatMessage } from '../conversation/message/chat-message';
import type { UndoOutcome, UndoState } from '../conversation/message/run-actions';

export type CallPart = ToolUIPart | DynamicToolUIPart;

/** How a call is shown: a word, and a tone that picks its colour and its sign. */
export interface CallState {
  tone: 'busy' | 'waits' | 'done' | 'failed' | 'denied' | 'undone';
  word: string;
}

export function callStateOf(
  part: CallPart,
  approval: ApprovalData | undefined,
  { working, asks, undone }: { working: boolean; asks: boolean; undone: UndoOutcome | undefined },
): CallState {
  if (undone === 'done') return { tone: 'undone', word: 'undone' };
  if (undone === 'unknown') return { tone: 'failed', word: 'perhaps undone' };
  if (approval?.status === 'open') return { tone: 'waits', word: 'waits for approval' };
  if (asks) return { tone: 'waits', word: 'waits for an answer' };
  switch (part.state) {
    case 'input-streaming':
      return { tone: 'busy', word: 'being written' };
    case 'input-available':
    case 'approval-responded':
      return working ? { tone: 'busy', word: 'running' } : { tone: 'waits', word: 'no result yet' };
    case 'approval-requested':
      return { tone: 'waits', word: 'waits for approval' };
    case 'output-available':
      return { tone: 'done', word: 'done' };
    case 'output-error':
      return { tone: 'failed', word: 'failed' };
    case 'output-denied':
      return { tone: 'denied', word: 'not run' };
  }
}

/** What became of the undo of a call, in words. Empty: there is nothing to add. */
export function undoText({ by, outcome }: UndoState): string {
  if (outcome === 'done') return by === undefined ? '' : `undone by ${by}`;
  return `It is not known whether the undo${by === undefined ? '' : ` by ${by}`} took effect.`;
}

/** What was decided about a call, in words. Empty: nothing. */
export function decisionText({ status, by, comment }: ApprovalData): string {
  const words = {
    open: '',
    approve: 'approved',
    deny: 'denied',
    edit: 'approved with edited arguments',
    expired: 'not decided in time',
    withdrawn: 'withdrawn',
  }[status];
  if (words === '') return '';
  return `${words}${by === undefined ? '' : ` by ${by}`}${comment === undefined ? '' : `: ${comment}`}`;
}

/** The data part about an approval with the id of a call. */
export function approvalFor(parts: ChatMessage['parts'], toolCallId: string): ApprovalData | undefined {
  for (const part of parts) if (part.type === 'data-approval' && part.data.toolCallId === toolCallId) return part.data;
  return undefined;
}

/** The arguments in one short line, as names and beginnings of values. */
export function shortArguments(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  return Object.entries(input)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
    .replace(/\s+/g, ' ')
    .slice(0, 200);
}
