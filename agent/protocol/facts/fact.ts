import type { RunReport } from '../../budget/report';
import type { CallProblem } from '../../model/answer';
import type { Spending, SpentByRun } from '../../model/cost/spending';
import type { ContentPart, Message } from '../../model/message';
import type { BudgetReached } from '../../state/budget-state';
import type { Purpose } from '../../strategy/call-purpose';
import type { Json, JsonObject } from '../../values/json';
import type { Lifecycle } from '../calls/lifecycle';
import type { ToolErrorType } from '../calls/tool-call';
import type { JsonSchema } from '../manifest';
import type { ChainLink } from '../queries';
import type { ToolProgress } from '../stream';
import type { ApprovalFact } from './approval-fact';
import type { BreakerFact } from './breaker-fact';
import type { BudgetFact } from './budget-fact';
import type { ContextFact } from './context-fact';
import type { ModelFact } from './model-fact';
import type { PlanFact } from './plan-fact';
import type { PromptFact } from './prompt-fact';
import type { TextCallFact } from './text-call-fact';
import type { ToolFilterFact } from './tool-filter-fact';

/** Why a run's loop ended. */
export type EndReason = 'completed' | 'failed' | 'cancelled';

/** Why an exchange of a conversation ended. `conversing`: the agent said something and waits for a reply. */
export type ExchangeEnd = 'completed' | 'conversing' | 'failed' | 'interrupted' | 'cancelled';

/**
 * Why a run goes on in a new history. `history`: the server suggests it, because the old one has grown long.
 * `deployment`: the run's workers have another version to go to. `asked`: a person asked for it.
 */
export type ContinueReason = 'history' | 'deployment' | 'asked';

/** A fact before the run gives it its number and time. */
export type FactBody =
  | { type: 'loop.start'; agent: string }
  /** `for`: the call is none of the single loop. */
  | { type: 'loop.iteration'; turn: number; lifecycle: Lifecycle; last?: true; for?: Purpose }
  /** A message joined the transcript. */
  | { type: 'message'; turn: number; index: number; message: Message }
  /** What a model call used, its failed attempts included. */
  | ({
      type: 'usage';
      turn: number;
      /** The provider's name of the model. Its alias where no worker told it, such as for a call that was lost. */
      model: string;
      /**
       * What the call was for. `summary`: it summed up old messages. Missing: it was a turn of the single loop.
       */
      for?: 'summary' | Purpose;
    } & Spending)
  | ModelFact
  | ToolFilterFact
  | BudgetFact
  | BreakerFact
  | PlanFact
  | { type: 'tool.call'; turn: number; toolUseId: string; name: string; input: JsonObject }
  /**
   * `ran`: it ran in the activity of the model call, from `start` to `end` (milliseconds since 1970). `progress`: what
   * its MCP server reported last.
   */
  | {
      type: 'tool.result';
      turn: number;
      toolUseId: string;
      name: string;
      content: ContentPart[];
      full?: true;
      progress?: ToolProgress;
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
  /** An answer came with a result for a call that the run did not plan. The result is ignored. */
  | { type: 'result.dropped'; turn: number; toolUseId: string }
  /** A call had lower priority than others in the same answer. It leaves no message. */
  | { type: 'tool.dropped'; turn: number; name: string; input: JsonObject; priority: number }
  | ApprovalFact
  /**
   * A service was called. `ref` is the child workflow's id, or the id of the event. `domain`: where the call went, where
   * the service names several.
   */
  | {
      type: 'service.called';
      turn: number;
      toolUseId: string;
      name: string;
      kind: 'child' | 'agent' | 'event' | 'signal';
      ref: string;
      expiresAt?: number;
      domain?: string;
    }
  /** The service answered. The result follows as `tool.result` or `tool.error`. */
  | {
      type: 'service.answered';
      turn: number;
      toolUseId: string;
      name: string;
      event?: string;
      executionUnits?: number;
      /** An agent says what its run used, its own child agents included. */
      spent?: RunReport;
    }
  /** An answer or a decision arrived and changed nothing. */
  | { type: 'message.ignored'; why: string; toolUseId?: string; detail?: string }
  /** The answer to the event that started the run could not be delivered. */
  | { type: 'reply.failed'; to: string; problem: string }
  /** A person's message was taken. `into` is the exchange that it starts, or joins as a steering message. */
  | { type: 'message.received'; into: number; ahead: number; id?: string; by?: string; steers?: 'queue' | 'now' }
  /** A message is being answered. `regenerates`: the exchange whose answer is regenerated. */
  | { type: 'exchange.start'; regenerates?: number; id?: string; by?: string }
  | {
      type: 'exchange.end';
      reason: ExchangeEnd;
      turn: number;
      data?: Json;
      error?: { type: string; message: string; data?: JsonObject };
      by?: string;
      /** The limit of the budget that ended it: its answer is the conclusion. */
      stoppedBy?: BudgetReached;
    }
  /** A call asks a person a question. */
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
  /** A message or an interrupt stopped a model call. Readers remove the text that it had shown. */
  | { type: 'text.withdrawn'; turn: number; why: 'steered' | 'interrupted' | 'deadline'; by?: string }
  | TextCallFact
  /** Messages from index `length` on were dropped. `epoch` counts how often that happened. */
  | { type: 'transcript.rewritten'; epoch: number; length: number }
  | ContextFact
  | PromptFact
  /** An effect was undone, or could not be undone. */
  | { type: 'undo.done'; toolUseId: string; name: string; text: string; by?: string }
  | {
      type: 'undo.failed';
      toolUseId: string;
      name: string;
      error: { type: string; message: string };
      by?: string;
    }
  /** An undo of the effect was requested but not tried, since one before it failed. */
  | { type: 'undo.left'; toolUseId: string; name: string; by?: string }
  /** The data that the inverse of an effect needs was dropped. The effect can no longer be undone. */
  | { type: 'undo.dropped'; toolUseId: string; name: string }
  /** The run goes on in a new history, where the facts after this one are. `number` counts the histories from 1. */
  | { type: 'run.continued'; number: number; why: ContinueReason }
  /**
   * Made by a reader: the facts from number `from` to `to` can no longer be read. Its own number is `to`, and its time that
   * of reading.
   */
  | { type: 'facts.missing'; from: number; to: number; why: string }
  | { type: 'run.renamed'; title: string; by?: string }
  /** The conversation takes no more messages. */
  | { type: 'conversation.closing'; why: 'closed' | 'idle'; by?: string }
  /** The output was not valid. The model is told why. */
  | { type: 'output.rejected'; turn: number; error: string }
  | ({
      type: 'loop.end';
      reason: EndReason;
      /** The limit that ended it: its answer is the conclusion. */
      stoppedBy?: BudgetReached;
      turns: number;
      error?: { type: string; message: string };
    } & SpentByRun);

/** A durable fact of a run. `seq` counts from 1 without gaps; `time` is workflow time (milliseconds since 1970). */
export type Fact = FactBody & { seq: number; time: number; exchange: number };

/** Answer of the facts query. */
export interface FactPage {
  facts: Fact[];
  /** Number of the oldest fact that this Temporal run has; one more than `last` if it has none yet. */
  firstSeq: number;
  /** The earlier runs that have the facts which were asked for, the oldest first. Missing: this run has them, or will. */
  earlier?: ChainLink[];
  /** Temporal's id of the run. */
  runId: string;
  /** The chain of Temporal runs that the numbers count in. */
  chainId: string;
  /** Number of the newest fact. */
  last: number;
  /** The run has ended. No facts follow after `last`. */
  ended: boolean;
  /** The last turn whose answer is known, or never will be. Missing: none, or not known here. */
  answered?: number;
}

/** The turn whose answer is known with this fact, or never will be. */
export function answeredTurn(fact: Fact): number | undefined {
  switch (fact.type) {
    case 'message':
      return fact.message.role === 'assistant' ? fact.turn : undefined;
    case 'text.withdrawn':
    case 'exchange.end':
      return fact.turn;
    default:
      return undefined;
  }
}
