import type { BlockedCalls } from '../../breakers/blocked-calls';
import type { ModelAnswer } from '../../model/answer';
import type { ContextBudget, ContextWindow } from '../../model/context-window';
import type { Money } from '../../model/cost/money';
import type { Spending } from '../../model/cost/spending';
import type { Message, ReasoningPart, TextPart } from '../../model/message';
import type { OutputDowngrade, StructuredOutput } from '../../model/structured-output';
import type { CallPurpose } from '../../strategy/call-purpose';
import type { FilterInput, OfferedTools } from '../../tool-filter/tool-filter';
import type { Pin } from '../manifest';
import type { Lifecycle } from './lifecycle';
import type { CallSections } from './sent-sections';
import type { ResultWithAnswer } from './tool-call';

/** Names the messages `[0, length)` of one epoch of a run's transcript. */
export interface PrefixRef {
  epoch: number;
  length: number;
  hash: string;
}

export interface CallModelInput {
  pin: Pin;
  /** Number of this call in the run, from 1. */
  turn: number;
  lifecycle: Lifecycle;
  /** Number of the facts before this call: readers get its deltas after them. Missing from an older workflow. */
  facts?: number;
  /** Alias of the model. */
  model: string;
  /** Another model has already shown text in this turn, which is withdrawn first. */
  takesOver?: true;
  /** A person asked for this call during an outage: its first attempt is made although others would have to wait. */
  despiteOutage?: true;
  /** How the server of the model has to be asked for JSON, since it refused a better way earlier in the run. */
  structuredOutput?: StructuredOutput;
  /** `none`: tools stay in the request, but the model must conclude. */
  toolChoice?: 'none';
  /** The exchange has no call of a tool yet: a tool choice that forces a call applies. */
  uncalled?: true;
  /** What the model reads in this call only, after the transcript. */
  reminder?: string;
  /** The messages that the last call sent, and the message of its answer, if its worker has that as it is. */
  prefix: PrefixRef;
  /** The whole transcript of this call. */
  transcript: PrefixRef;
  /** Which part of the transcript is sent. Missing: the window is not known, and all of it is sent. */
  trimming?: ContextWindow;
  /**
   * With `trimming`, or a turn message: index of the message that opened the exchange. It is sent even if it is before
   * `trimming.from`.
   */
  opened?: number;
  /**
   * Media of messages from turn `from` on count as shown only by the calls since turn `since`: those before were calls of
   * another model, or led to an answer that was dropped. Missing: all calls count.
   */
  mediaAgain?: { from: number; since: number };
  /** Hash of the turn message whose text this history has last: the same one comes back without its text. */
  sections?: string;
  /** Idempotency keys of tools that run with the answer are made from it. Missing: the agent has no such tools. */
  chainId?: string;
  /** What decides which tools are offered. Missing: all are. */
  filter?: FilterInput;
  /** Calls that breakers stop: none of them may run with the answer. Missing: there are none. */
  blocked?: BlockedCalls;
  /** What the call is for. Missing: it is a turn of the single loop. */
  purpose?: CallPurpose;
  /** What the run has left. The worker refuses a call that might take more. */
  budget?: CallBudget;
  /** The messages between `prefix` and `transcript`. Missing if they are too large; the activity then fetches them. */
  delta?: Message[];
}

/** What a model call may spend. Missing: not limited. */
export interface CallBudget {
  tokens?: number;
  cost?: Money;
  /** Calls of tools that may run with the answer. */
  toolCalls?: number;
  /** A further call, to conclude, must remain possible. */
  keeps?: true;
}

/** What a model call cost, and the provider's name of the model. Without it, only its alias is known. */
export interface SpendingOfModel extends Spending {
  model?: string;
}

/** Details of the `CancelledFailure` (and of a final failure) of a model call. */
export interface PartialAnswer extends SpendingOfModel {
  /** The parts that had arrived. */
  parts: (TextPart | ReasoningPart)[];
  /** The server refused a way to ask for JSON, and accepted another one. */
  downgraded?: OutputDowngrade;
  /** If the model refused the call as too long: what the next call may send. Missing: nothing more can be left out. */
  trimming?: ContextWindow;
}

/** Details of the heartbeats of a model call, which its next attempt reads. */
export interface ModelHeartbeat {
  /** What all attempts so far cost, the one that sends the heartbeat included. Missing: nothing. */
  spending?: Spending;
  /** The attempts whose cost is known, and their cost. Those in between were lost. */
  settled?: { attempts: number; spending: Spending };
  /** With a budget: what the attempt in progress may cost. */
  reserved?: Spending;
  /** The server refused a way to ask for JSON: the next attempt begins with the one that it is asked in now. */
  downgraded?: OutputDowngrade;
  /** Tokens of `spending` that the run was told of. Missing: none. */
  told?: number;
  /** Milliseconds since the first failure of an outage: waits, and attempts that ended. */
  spent?: number;
  /** Attempts of the outage that failed. */
  failures?: number;
  /** When the next attempt begins at the earliest, in milliseconds since 1970. */
  next?: number;
  /** The attempt waits in line for a model whose `limits` leave no room. `since`: milliseconds since 1970. */
  inLine?: { model: string; since: number };
}

/**
 * Type of the failure of a call that was not made: even without old messages it would leave too little of the window for
 * the next turn. Its details hold {@link NearlyFull}.
 */
export const NEARLY_FULL = 'ContextNearlyFull';

/** `left`: tokens that would be left of `window`, which workers of an earlier version did not tell. */
export interface NearlyFull {
  left: number;
  window?: number;
}

/** How much of the model's window the call took, and which part of the transcript the next call sends. */
export interface MeasuredCall {
  budget: ContextBudget;
  trimming: ContextWindow;
}

/**
 * `results`: results of the calls that ran with the answer, in order. Missing: none did. `downgraded`: the server
 * refused a way to ask for JSON, and accepted another one. `sections`: the turn message that was sent. `offered`: which
 * tools the call offered. Missing: all.
 */
export type CallModelResult = ModelAnswer &
  Partial<MeasuredCall> & {
    results?: ResultWithAnswer[];
    downgraded?: OutputDowngrade;
    sections?: CallSections;
    offered?: OfferedTools;
  };
