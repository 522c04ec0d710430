import type { Grant } from '../approvals/approval';
import type { Calls } from '../budget/report';
import type { DelegatedBy } from '../define/context';
import type { CallProblem } from '../model/answer';
import type { ContextBudget } from '../model/context-window';
import type { SpentByRun } from '../model/cost/spending';
import type { ServiceEvent } from '../protocol/event';
import type { EndReason } from '../protocol/facts/fact';
import type { Json, JsonObject } from '../values/json';
import type { BudgetView } from './budget-view';

/**
 * The state of a run, as `run.state()` gives it, also after its end. It has no large parts, since an answer over 4 MiB
 * never arrives: messages are in the transcript, results of calls in the facts, what waits for people in `waiting()`.
 * Times are milliseconds since 1970.
 */
export interface RunState extends SpentByRun {
  /** The run's id, which is the workflow id. */
  id: string;
  /** The agent's name, which is the workflow type. */
  agent: string;
  /**
   * The version of the agent's contract that it works by: `1.0.0` if the agent has no `versions`. Missing until the agent
   * is looked up.
   */
  version?: string;
  /** Whether it works on one input, or takes one message after another. */
  mode: 'task' | 'conversation';
  /** Names the Temporal runs that this run consists of. Idempotency keys are made from it. */
  chainId: string;
  /** Who the run belongs to. */
  owner?: string;
  /** What its caller attached. */
  metadata: JsonObject;
  /** The title that a person gave it, or else that of its start. */
  title?: string;

  /** `running`, or how it ended. */
  status: 'running' | EndReason;
  /** It is a conversation that waits for a message. */
  idle: boolean;
  /** The model in use does not answer. `nextAt` is missing during a retry. */
  outage?: { since: number; failures: number; error: { type: string; message: string }; nextAt?: number };
  /** How it ended. Missing while it runs. */
  end?: { reason: EndReason; data?: Json; error?: { type: string; message: string; data?: JsonObject } };
  /** The conversation takes no more messages and ends when the waiting ones are answered. */
  closing?: { why: 'closed' | 'idle'; by?: string };

  /** Number of the exchange (a caller's message to its answer): 1 in a task, 0 in a conversation without messages. */
  exchange: number;
  /** Messages that wait for their exchange. */
  queued: number;
  /**
   * What people have said and the model has not read yet, in the order in which it is read. At most the first 20. Empty if
   * the worker has a version before it.
   */
  unread: UnreadMessage[];
  /** Model calls made so far. */
  turn: number;
  /** Model calls that may ask for tools: those made, self-correction included, and how many there may be. */
  toolInteractions: { current: number; max: number };
  /** Number of calls so far, by name of the tool. */
  toolTypeCounts: { [tool: string]: number };
  /** Number of messages in the transcript. */
  messages: number;
  /** Number of facts so far. */
  facts: number;

  /**
   * Aliases of the models: the first one, and those that take over when it fails. A model that a person chose from
   * outside of them is in the place of the one that was in use. Empty until the agent is looked up.
   */
  models: string[];
  /** Index of the model in use. */
  model: number;
  /** How much of the model's context window the last call used. Missing before the first call. */
  budget?: ContextBudget;
  /** What it may spend: limits, with what is spent, reserved and left of each. Missing: nothing is limited. */
  budgets?: BudgetView;
  /** Names of the tools. Empty until the agent is looked up. */
  tools: string[];
  /**
   * What the last model call offered of them: names, how many were hidden, and the tokens of their definitions. Missing:
   * the agent has no more tools than it offers, or no call was made.
   */
  toolsOffered?: { tools: string[]; hidden: number; saved: number };
  /** The calls of the current answer. Empty between answers. */
  batch: CallState[];
  /** Calls that may or may not have taken effect. Those of `once` tools are not repeated without a person's approval. */
  unknownOutcomes: { toolUseId: string; name: string; hash: string }[];
  /** Calls that can be undone, the newest first. */
  undoable: { toolUseId: string; tool: string }[];
  /**
   * Those of the newest 200 calls with an effect whose effect was undone, the one that was asked for last first. `by` asked
   * for it, at `at` (milliseconds since 1970). Missing: the worker has a version before it.
   */
  undone?: { toolUseId: string; tool: string; by?: string; at: number }[];
  /** The same for those whose undo ended so that its outcome is not known: their effect may be undone, or not. */
  undoUnknown?: { toolUseId: string; tool: string; by?: string; at: number }[];
  /** Decisions of people that apply to the rest of the run. */
  grants: Grant[];

  /** Calls of models and of tools, those of child agents included. */
  calls: Calls;

  /** The call that delegated to this run. */
  delegatedBy?: DelegatedBy;
  /** The event that started the run, without its data. The answer goes to its sender. */
  initiator?: Omit<ServiceEvent, 'data'>;
  /** The `parentSubject$$` that came with the input. */
  parentSubject?: string;
  /** The `traceparent` of the caller (W3C Trace Context). */
  traceparent?: string;
  /** Number of answers and decisions that changed nothing, by reason. */
  ignored: { [why: string]: number };
  /** Number of signals with unknown names, by name: the first 50 names, shortened to 100 characters. */
  unknownSignals?: { [name: string]: number };
}

/** A message that the model has not read yet. */
export interface UnreadMessage {
  /** The id that its sender gave it. */
  id?: string;
  /** Who sent it. */
  by?: string;
  /** When it was taken. Milliseconds since 1970. */
  at: number;
  /** Its text, cut at 500 characters. Empty if it has media alone. */
  text: string;
  /** `true`: the model reads it in the exchange in progress. `false`: it starts an exchange of its own. */
  steers: boolean;
}

/** A call of the current answer. The results are in the facts. */
export interface CallState {
  /** Names the call: `t3.2` is the second call of turn 3. */
  toolUseId: string;
  /** Name of the tool. */
  name: string;
  /** The arguments, as the model gave them. */
  input: JsonObject;
  /** SHA-256 of the arguments. */
  hash: string;
  /** `open`: it runs, waits, or has not begun. `rejected`: it is not run, because of `problem`. */
  status: 'open' | 'rejected' | 'settled';
  /** What it waits for: a decision on it, an answer to its question, the answer of its service. */
  waits?: 'approval' | 'question' | 'answer';
  /** Why it is not run. The model reads it. */
  problem?: CallProblem;
}
