import type { Remember } from '../../approvals/approval';
import type { JsonObject } from '../../values/json';

/** Facts about calls that wait for a person, before the run gives them their numbers and times. */
export type ApprovalFact =
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
  /** A person decided. `input`: the edited arguments that run instead. */
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
  /** An earlier decision applied to this call. */
  | {
      type: 'approval.remembered';
      turn: number;
      toolUseId: string;
      name: string;
      allowed: boolean;
      by: string;
      at: number;
    }
  /**
   * A decision for all runs of the agent could not be stored. It applies only to this run. `name` is that of the tool.
   */
  | {
      type: 'approval.unremembered';
      turn: number;
      toolUseId: string;
      name: string;
      /** The key of the decision. Empty: every call of the tool. */
      key: string;
      allowed: boolean;
      by: string;
      problem: string;
    }
  /** There was no decision in time. Other people are asked, or the call is not run. */
  | { type: 'approval.escalated'; turn: number; toolUseId: string; name: string; deciders: string[]; expiresAt: number }
  | { type: 'approval.expired'; turn: number; toolUseId: string; name: string };
