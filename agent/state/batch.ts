import type { Remember, RuleVerdict } from '../approvals/approval';
import type { QuestionState } from '../conversation/questions';
import type { CallProblem } from '../model/answer';
import type { ToolOutcome } from '../protocol/calls/tool-call';
import type { JsonObject } from '../values/json';
import type { AwaitedService } from './awaited-service';

/** One call of the current batch. `open`: it runs or waits. The messages follow when the whole batch has settled. */
export type BatchCall = CallFacts &
  (
    | { status: 'open' }
    /** It is not run. The model reads why. */
    | { status: 'rejected'; problem: CallProblem }
    | { status: 'settled'; outcome: ToolOutcome }
  );

/** What is known about a call, whatever its outcome. */
export interface CallFacts {
  toolUseId: string;
  name: string;
  input: JsonObject;
  /** SHA-256 of the arguments, as the worker computed it. */
  hash: string;
  /** What the rules of the tool say about the call. */
  ruled?: RuleVerdict;
  /** Calls of one lane run one by one, in order. Missing: the call does not wait for others. */
  lane?: string;
  /** Set while and after a person is asked. */
  approval?: ApprovalState;
  /** Set while and after the call asks a person a question. */
  questions?: QuestionState[];
  /** Set while the call waits for the answer of a service. */
  service?: AwaitedService;
}

/** The question whether a call may run, and its outcome. */
export type ApprovalState = ApprovalQuestion & ({ status: 'asked' } | { status: 'decided'; decision: ApprovalOutcome });

/** The question whether a call may run. Times are milliseconds since 1970. */
export interface ApprovalQuestion {
  /** Hash of the arguments. */
  hash: string;
  /** Which calls a remembered decision applies to. */
  key: string;
  requestedAt: number;
  expiresAt?: number;
  deciders?: string[];
  escalated?: true;
  /** Id of the call with unknown outcome that this one repeats. */
  repeats?: string;
  /** The decisions remembered for all runs of the agent could not be read. */
  grantsUnread?: true;
}

/** How a question was decided. `by` is missing if it expired. */
export interface ApprovalOutcome {
  /** The decision. `expired`: there was none in time. */
  decision: 'approve' | 'deny' | 'edit' | 'expired';
  /** Who decided. */
  by?: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The comment, or the reason. */
  comment?: string;
  /** What it applies to. Missing: this call. */
  remember?: Remember;
  /** The edited arguments that run instead. */
  edit?: EditedArguments;
}

/** Arguments that a person gave in place of those of the model. */
export interface EditedArguments {
  input: JsonObject;
  /** SHA-256 of the arguments. */
  hash: string;
  /** The key that `rememberBy` makes from them. */
  key: string;
}
