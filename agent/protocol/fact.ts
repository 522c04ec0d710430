import type { Remember } from '../approvals/approval';
import type { CallProblem, Usage } from '../model/answer';
import type { ContextBudget } from '../model/context-window';
import type { ContentPart, Message } from '../model/message';
import type { Json, JsonObject } from '../values/json';
import type { Lifecycle } from './activities';
import type { JsonSchema } from './manifest';
import type { ToolErrorType } from './tool-call';

/** Why a run's loop ended. */
export type EndReason = 'completed' | 'failed' | 'cancelled';

/** Why an exchange of a conversation ended; `conversing`: the agent said something and hands over. */
export type ExchangeEnd = 'completed' | 'conversing' | 'failed' | 'interrupted' | 'cancelled';

/** What a fact says, before the run gave it its number and time. */
export type FactBody =
  | { type: 'loop.start'; agent: string }
  | { type: 'loop.iteration'; turn: number; lifecycle: Lifecycle; last?: true }
  /** A message joined the transcript. */
  | { type: 'message'; turn: number; index: number; message: Message }
  | { type: 'usage'; turn: number; model: string; usage: Usage; executionUnits: number }
  /** A model failed for good and the next one of the chain takes over, for the rest of the run. */
  | { type: 'model.switched'; turn: number; from: string; to: string; error: { type: string; message: string } }
  /**
   * The model does not answer, and the run waits to ask it again at `nextAt` (milliseconds since 1970). `attempt` counts
   * the calls of this outage that have failed; each of them was tried for about a minute.
   */
  | {
      type: 'model.waiting';
      turn: number;
      model: string;
      error: { type: string; message: string };
      attempt: number;
      nextAt: number;
    }
  /** A person ended that wait. */
  | { type: 'model.retried'; turn: number; model: string; by?: string }
  /** Every model failed, and the agent's static answer is the output. */
  | { type: 'model.fallback'; turn: number; error: { type: string; message: string } }
  | { type: 'tool.call'; turn: number; toolUseId: string; name: string; input: JsonObject }
  /** `ran`: it ran where the model was asked, in this time (milliseconds since 1970), and came with the answer. */
  | {
      type: 'tool.result';
      turn: number;
      toolUseId: string;
      name: string;
      content: ContentPart[];
      full?: true;
      ran?: { start: number; end: number };
    }
  | {
      type: 'tool.error';
      turn: number;
      toolUseId: string;
      name: string;
      error: { type: ToolErrorType | CallProblem['type']; message: string };
      ran?: { start: number; end: number };
    }
  /** A result came with an answer for a call that the run did not plan: it counts for nothing. */
  | { type: 'result.dropped'; turn: number; toolUseId: string }
  /** A call of lower priority than others in the same answer: it leaves no message. */
  | { type: 'tool.dropped'; turn: number; name: string; input: JsonObject; priority: number }
  /** A call waits for a person. */
  | {
      type: 'approval.requested';
      turn: number;
      toolUseId: string;
      name: string;
      input: JsonObject;
      hash: string;
      deciders?: string[];
      expiresAt?: number;
      repeats?: string;
      /** Remembered decisions could not be read. */
      grantsUnread?: true;
    }
  /** A person decided; `input` are the arguments that run instead. */
  | {
      type: 'approval.decided';
      turn: number;
      toolUseId: string;
      name: string;
      decision: 'approve' | 'deny' | 'edit';
      by: string;
      comment?: string;
      remember?: Remember;
      input?: JsonObject;
    }
  /** An earlier decision held for this call. */
  | {
      type: 'approval.remembered';
      turn: number;
      toolUseId: string;
      name: string;
      allowed: boolean;
      by: string;
      at: number;
    }
  /** A decision for all runs of the agent could not be kept: it holds for this run only. `name` is the tool's. */
  | {
      type: 'approval.unremembered';
      turn: number;
      toolUseId: string;
      name: string;
      /** As `rememberBy` made it; empty: every call of the tool. */
      key: string;
      allowed: boolean;
      by: string;
      problem: string;
    }
  /** Nobody decided in time: others are asked, or the call is not run. */
  | { type: 'approval.escalated'; turn: number; toolUseId: string; name: string; deciders: string[]; expiresAt: number }
  | { type: 'approval.expired'; turn: number; toolUseId: string; name: string }
  /** A service was asked: `ref` is the child workflow's id, or the id of the event. */
  | {
      type: 'service.called';
      turn: number;
      toolUseId: string;
      name: string;
      kind: 'child' | 'agent' | 'event' | 'signal';
      ref: string;
      expiresAt?: number;
    }
  /** It answered; the result follows as `tool.result` or `tool.error`. */
  | { type: 'service.answered'; turn: number; toolUseId: string; name: string; event?: string; executionUnits?: number }
  /** An answer or a decision came that changed nothing. */
  | { type: 'message.ignored'; why: string; toolUseId?: string; detail?: string }
  /** The answer to the event that started the run could not be handed over. */
  | { type: 'reply.failed'; to: string; problem: string }
  /** A person's message was taken: `into` is the exchange that it starts, or joins as a steering one. */
  | { type: 'message.received'; into: number; ahead: number; id?: string; by?: string; steers?: 'queue' | 'now' }
  /** A message is being answered; `regenerates` names the exchange whose answer is made anew. */
  | { type: 'exchange.start'; regenerates?: number; id?: string; by?: string }
  | {
      type: 'exchange.end';
      reason: ExchangeEnd;
      turn: number;
      data?: Json;
      error?: { type: string; message: string };
      by?: string;
    }
  /** A call asks a person something. */
  | {
      type: 'question.asked';
      turn: number;
      toolUseId: string;
      name: string;
      questionId: string;
      question: string;
      suggestions?: string[];
      schema?: JsonSchema;
      url?: string;
      expiresAt?: number;
    }
  | {
      type: 'question.answered' | 'question.declined' | 'question.expired' | 'question.withdrawn';
      turn: number;
      toolUseId: string;
      name: string;
      questionId: string;
      answer?: Json;
      by?: string;
    }
  /** A model call was broken off for a message, or by an interrupt: readers take back the text that it had shown. */
  | { type: 'text.withdrawn'; turn: number; why: 'steered' | 'interrupted'; by?: string }
  /** The model answered without a call where its agent wants one. */
  | { type: 'tool.none'; turn: number }
  /** Messages from index `length` on were dropped: `epoch` counts how often that happened. */
  | { type: 'transcript.rewritten'; epoch: number; length: number }
  /** What the last model call took of the window. */
  | ({ type: 'budget.context' } & ContextBudget)
  /** The oldest messages are no longer sent: those before index `from`. */
  | { type: 'context.trimmed'; turn: number; from: number }
  /** An effect was taken back, or could not be. */
  | { type: 'undo.done'; toolUseId: string; name: string; text: string; by?: string }
  | {
      type: 'undo.failed';
      toolUseId: string;
      name: string;
      error: { type: string; message: string };
      by?: string;
    }
  /** It was to be taken back, and is not tried, since one before it failed. */
  | { type: 'undo.left'; toolUseId: string; name: string; by?: string }
  /** What the inverse of an effect needs is no longer kept: the effect can no longer be undone. */
  | { type: 'undo.dropped'; toolUseId: string; name: string }
  | { type: 'run.renamed'; title: string; by?: string }
  /** No message is taken any more. */
  | { type: 'conversation.closing'; why: 'closed' | 'idle'; by?: string }
  /** The output was not valid; the model is told why. */
  | { type: 'output.rejected'; turn: number; error: string }
  | {
      type: 'loop.end';
      reason: EndReason;
      turns: number;
      usage: Usage;
      executionUnits: number;
      error?: { type: string; message: string };
    };

/** A durable fact of a run: `seq` counts from 1 without gaps, `time` is the workflow's (milliseconds since 1970). */
export type Fact = FactBody & { seq: number; time: number; exchange: number };

/** Answer of the facts query. */
export interface FactPage {
  facts: Fact[];
  /** Number of the oldest fact that this Temporal run has. */
  firstSeq: number;
  /** Temporal's id of the run. */
  runId: string;
  /** The chain of Temporal runs that the numbers count in. */
  chainId: string;
  /** Number of the newest fact. */
  last: number;
  /** The run has ended: after `last` there will be no more. */
  ended: boolean;
}
