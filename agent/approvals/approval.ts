import type { Ctx } from '../define/context';
import type { Duration } from '../values/duration';
import type { JsonObject } from '../values/json';

/** Which calls of a tool wait for a person, who may decide, and what happens without a decision. */
export interface ApprovalRules<Input = unknown> {
  /**
   * Whether this call needs a decision. It runs in an activity. Default: every call does. If it throws, the call needs
   * one.
   */
  when?(input: Input, ctx: Ctx): boolean | Promise<boolean>;
  /** How long the call waits. Default: forever. */
  expires?: Duration;
  /**
   * What happens then: the call is denied and the model is told so (`deny`, the default), the run fails with
   * `ApprovalExpired` (`fail`), or other people are asked and have the same time again.
   */
  onExpire?: 'deny' | 'fail' | ApprovalEscalation;
  /** Who may decide: names, or roles such as `role:finance`. Default: anyone. */
  deciders?: readonly string[];
  /** A remembered decision applies to calls for which this returns the same text. Default: every call of the tool. */
  rememberBy?(input: Input): string;
}

/** Who decides next when no decision was made in time. */
export interface ApprovalEscalation {
  /** Who may decide from then on: names, or roles such as `role:finance`. */
  escalate: readonly string[];
  /** How long they have. Default: as long as the first deciders had. */
  expires?: Duration;
  /** What happens then. Default `deny`. */
  onExpire?: 'deny' | 'fail';
}

/** Whether calls of a tool wait for a person: `never` (default), `always`, or by rules. */
export type ApprovalPolicy<Input = unknown> = 'never' | 'always' | ApprovalRules<Input>;

/** An approval policy as a run has pinned it. Its functions stay in the worker. Times are milliseconds. */
export interface ApprovalSpec {
  /** The tool has a `when` or a `rememberBy`, which must be called for each call. */
  asks: boolean;
  /** Milliseconds that a call waits. Missing: forever. */
  expires?: number;
  /** What happens then. */
  onExpire: 'deny' | 'fail' | 'escalate';
  /** Who is asked then, for how many milliseconds, and what happens after that. */
  escalation?: { deciders: string[]; expires: number; onExpire: 'deny' | 'fail' };
  /** Who may decide. Missing: anyone. */
  deciders?: string[];
}

/** What the rules of a tool say about one call. */
export interface RuleVerdict {
  /** A person has to decide. */
  needed: boolean;
  /** Which calls a remembered decision applies to. Empty: every call of the tool. */
  key: string;
}

/** The key of a decision that applies only to calls with equal arguments. */
export function keyOfArguments(hash: string): string {
  return `sha256:${hash}`;
}

/** What a decision applies to: this call, the run, or every run of the agent with the same owner. */
export type Remember = 'once' | 'run' | 'agent';

/** A call that waits for a person. */
export interface PendingApproval {
  /** The run that waits. */
  id: string;
  /** Its agent. */
  agent: string;
  /** Who the run belongs to. */
  owner?: string;
  /** Id of the call. The approval has no other id. */
  toolUseId: string;
  /** Canonical name of the tool. */
  tool: string;
  /** The arguments. */
  input: JsonObject;
  /** Hash of the arguments. A decision with another hash is refused, so that people approve only what they saw. */
  hash: string;
  /** Who may decide. Missing: anyone. */
  deciders?: string[];
  /** Milliseconds since 1970. */
  requestedAt: number;
  /** Milliseconds since 1970. Missing: it waits forever. */
  expiresAt?: number;
  /** The first deciders let it expire. */
  escalated?: true;
  /** Id of an earlier, equal call whose outcome is unknown. Approve to run it again. */
  repeats?: string;
  /** The decisions remembered for all runs of the agent could not be read. One may apply to this call. */
  grantsUnread?: true;
}

/** Who decides: a name and the roles that the caller vouches for. */
export interface Decider {
  /** A name, such as `ann`. It is stored in history. */
  by: string;
  /** Roles that the caller has checked, such as `finance`. */
  roles?: readonly string[];
}

/** A decision on one call, as signals and updates carry it. */
export type Decision = Decider & { toolUseId: string; hash?: string } & (
    | { decision: 'approve'; remember?: Remember; comment?: string }
    | { decision: 'deny'; remember?: Remember; reason?: string }
    | { decision: 'edit'; input: JsonObject; remember?: Remember; comment?: string }
  );

/** A decision that also applies to later calls. */
export interface Grant {
  /** Canonical name of the tool. */
  tool: string;
  /** `by:` and the text of `rememberBy`, or `sha256:` and the hash of the arguments; empty: every call of the tool. */
  key: string;
  /** False: such calls are denied. */
  allowed: boolean;
  /** Who decided. */
  by: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The comment of the decider. */
  comment?: string;
}

/** A decision that applies to every run of an agent with the same owner. */
export interface OwnedGrant extends Grant {
  /** Whose runs. Missing: those without an owner. */
  owner?: string;
}

/** Which remembered decisions to forget. */
export interface GrantsToRevoke {
  /** Whose. Missing: of runs without an owner. */
  owner?: string;
  /** Canonical name of the tool. */
  tool: string;
  /** The key of the decision. Empty: the decision on every call. Missing: all decisions on the tool. */
  key?: string;
}

/** Whether a person may decide. */
export function mayDecide({ by, roles = [] }: Decider, deciders: readonly string[] | undefined): boolean {
  if (deciders === undefined) return true;
  // A name is not vouched for as a role is, even if it looks like one.
  return (!by.startsWith('role:') && deciders.includes(by)) || roles.some((role) => deciders.includes(`role:${role}`));
}

/** The remembered decision that applies to a call. A denial wins over a grant. */
export function grantFor<G extends Grant>(grants: readonly G[], tool: string, key: string): G | undefined {
  const fitting = grants.filter((grant) => grant.tool === tool && (grant.key === key || grant.key === ''));
  return fitting.find(({ allowed }) => !allowed) ?? fitting[0];
}
