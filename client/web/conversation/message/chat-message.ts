import type { UIMessage } from 'ai';
import type { Money } from '../../../../agent/model/cost/money';
import type { Json, JsonObject } from '../../../../agent/values/json';

/** What the server says about an assistant's message. */
export interface ChatMetadata {
  runId?: string;
  agent?: string;
  exchange?: number;
  facts?: number;
  /** Why the exchange ended, or `waiting`: it goes on after a person has decided. */
  reason?: string;
  /** Why it failed. */
  error?: { type: string; message: string };
  waiting?: { approvals: number; questions: number; calls: number };
}

/** Custom parts of the stream. The id of a part says which one it replaces. */
export type ChatData = {
  approval: ApprovalData;
  question: QuestionData;
  progress: { toolCallId: string; progress: number; total?: number; message?: string };
  withdrawn: { id: string; text?: string };
  /** What a person has said into the exchange in progress, where the model read it. */
  steer: { text: string };
  status: { text?: string; level: 'info' | 'warn' };
  plan: { steps: { step: number; description: string }[] };
  'plan-step': { step: number; description: string; status: string };
  /** What one model call used. */
  spent: { usage?: { prompt: number; completion: number }; cost?: Money };
};

/** A call that needs, or had, a decision. */
export interface ApprovalData {
  toolCallId: string;
  name: string;
  input: JsonObject;
  hash: string;
  status: 'open' | 'approve' | 'deny' | 'edit' | 'expired' | 'withdrawn';
  by?: string;
  comment?: string;
}

/** A question, with how it ended. */
export interface QuestionData {
  questionId: string;
  toolCallId: string;
  question: string;
  status: 'open' | 'answered' | 'declined' | 'expired' | 'withdrawn';
  answer?: Json;
  by?: string;
}

export type ChatMessage = UIMessage<ChatMetadata, ChatData>;
