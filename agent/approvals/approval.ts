import type { Ctx } from '../define/context';
import type { Duration } from '../values/duration';
import type { JsonObject } from '../values/json';

/** Which calls of a tool wait for a person, who may decide, and what happens when nobody does. */
export interface ApprovalRules<Input = unknown> {
  /**
   * Whether this call needs a decision; it runs in an activity. Default: every call does. Where it throws, the call
   * needs one.
   */
  when?(input: Input, ctx: Ctx): boolean | Promise<boolean>;
  /** How long the call waits. Default: for ever. */
  expires?: Duration;
  /**
   * What happens then: the model is told that nobody agreed (`deny`, the default), the run fails with `ApprovalExpired`
   * (`fail`), or others are asked for as long again.
   */
  onExpire?: 'deny' | 'fail' | ApprovalEscalation;
  /** Who may decide: names, or roles as `role:finance`. Default: anybody. */
  deciders?: readonly string[];
  /** What a remembered decision holds for: calls with an equal text. Default: every call of the tool. */
  rememberBy?(input: Input): string;
}

/** Whom a decision passes to when it was not made in time. */
export interface ApprovalEscalation {
  /** Who may decide from then on: names, or roles as `role:finance`. */
  escalate: readonly string[];
  /** How long they have. Default: as long as the first had. */
  expires?: Duration;
  /** What happens then. Default `deny`. */
  onExpire?: 'deny' | 'fail';
}

/** Whether calls of a tool wait for a person: `never` (default), `always`, or by rules. */
export type ApprovalPolicy<Input = unknown> = 'never' | 'always' | ApprovalRules<Input>;

/** An approval policy as a run has pinned it: what of it is code stays in the worker. Times are milliseconds. */
export interface ApprovalSpec {
  /** The tool's `when`, or its `rememberBy`, has to be asked about each call. */
  asks: boolean;
  /** Milliseconds that a call waits. Missing: for ever. */
  expires?: number;
  /** What happens then. */
  onExpire: 'deny' | 'fail' | 'escalate';
  /** Who is asked then, for how many milliseconds, and what happens after that. */
  escalation?: { deciders: string[]; expires: number; onExpire: 'deny' | 'fail' };
  /** Who may decide. Missing: anybody. */
  deciders?: string[];
}

/** What the rules of a tool say of one call. */
export interface RuleVerdict {
  /** A person has to decide. */
  needed: boolean;
  /** What a decision that is remembered holds for; empty: every call of the tool. */
  key: string;
}

/** The key of a decision that holds for calls with equal arguments only. */
export function keyOfArguments(hash: string): string {
  return `sha256:${hash}`;
}

/** How long a decision holds: for this call, for the run, or for every run of the agent with the same owner. */
export type Remember = 'once' | 'run' | 'agent';

/** A call that waits for a person. */
export interface PendingApproval {
  /** The run that waits. */
  id: string;
  /** Its agent. */
  agent: string;
  /** Who the run belongs to. */
  owner?: string;
  /** The call; the approval has no other id. */
  toolUseId: string;
  /** Canonical name of the tool. */
  tool: string;
  /** The arguments. */
  input: JsonObject;
  /** Of the arguments: a decision that names another hash is refused, so that nobody approves what they did not see. */
  hash: string;
  /** Who may decide. Missing: anybody. */
  deciders?: string[];
  /** Milliseconds since 1970. */
  requestedAt: number;
  /** Milliseconds since 1970. Missing: it waits for ever. */
  expiresAt?: number;
  /** The first deciders let it expire. */
  escalated?: true;
  /** Nobody knows whether the same call took effect before: approve to run it again. */
  repeats?: string;
  /** What is remembered for all runs of the agent could not be read: a decision may have been made before. */
  grantsUnread?: true;
}

/** Who decides: a name and the roles that the caller vouches for. */
export interface Decider {
  /** A name, such as `ann`. It stands in history. */
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

/** A decision that holds for later calls too. */
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
  /** What they said beside it. */
  comment?: string;
}

/** A decision that every run of an agent with the same owner heeds. */
export interface OwnedGrant extends Grant {
  /** Whose runs. Missing: those without an owner. */
  owner?: string;
}

/** Which remembered decisions are forgotten. */
export interface GrantsToRevoke {
  /** Whose. Missing: of runs without an owner. */
  owner?: string;
  /** Canonical name of the tool. */
  tool: string;
  /** As the decision has it; empty: the decision on every call. Missing: all decisions on the tool. */
  key?: string;
}

/** Whether somebody is among those who may decide. */
export function mayDecide({ by, roles = [] }: Decider, deciders: readonly string[] | undefined): boolean {
  if (deciders === undefined) return true;
  // A name is not vouched for as a role is, even if it looks like one.
  return (!by.startsWith('role:') && deciders.includes(by)) || roles.some((role) => deciders.includes(`role:${role}`));
}

/** What remembered decisions say of a call: denied wins over granted. */
export function grantFor<G extends Grant>(grants: readonly G[], tool: string, key: string): G | undefined {
  const fitting = grants.filter((grant) => grant.tool === tool && (grant.key === key || grant.key === ''));
  return fitting.find(({ allowed }) => !allowed) ?? fitting[0];
}
