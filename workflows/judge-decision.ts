import { type Decision, mayDecide } from '../agent/approval';
import { HoldfastError } from '../agent/error';
import { isJsonObject } from '../agent/json';
import type { AgentState } from '../agent/state';

const FIELDS = {
  approve: ['toolUseId', 'by', 'roles', 'hash', 'remember', 'comment'],
  deny: ['toolUseId', 'by', 'roles', 'hash', 'remember', 'reason'],
  edit: ['toolUseId', 'by', 'roles', 'hash', 'input', 'comment'],
} as const;

/**
 * A decision as a client sent it, checked for its form only.
 * @throws HoldfastError `InvalidDecision`
 */
export function checkDecision(decision: Decision['decision'], given: unknown): Decision {
  const fail = (problem: string): never => {
    throw new HoldfastError('InvalidDecision', { problem });
  };
  if (!isJsonObject(given)) return fail('Expected an object such as `{"toolUseId": "t1.1", "by": "ann"}`');
  const fields: readonly string[] = FIELDS[decision];
  const strange = Object.keys(given).find((key) => !fields.includes(key));
  if (strange !== undefined)
    fail(`There is no field \`${strange}\` in \`${decision}\`; there are ${fields.join(', ')}`);
  for (const field of ['toolUseId', 'by'] as const) {
    if (typeof given[field] !== 'string' || given[field] === '') fail(`Expected \`${field}\` to be a text`);
  }
  for (const field of ['hash', 'comment', 'reason'] as const) {
    if (given[field] !== undefined && typeof given[field] !== 'string') fail(`Expected \`${field}\` to be a text`);
  }
  const { roles, remember } = given;
  if (roles !== undefined && !(Array.isArray(roles) && roles.every((role) => typeof role === 'string'))) {
    fail('Expected `roles` to be a list of texts');
  }
  if (remember !== undefined && remember !== 'once' && remember !== 'run' && remember !== 'agent') {
    fail('Expected `remember` to be `once`, `run` or `agent`');
  }
  if (decision === 'edit' && !isJsonObject(given.input)) fail('Expected `input` to be the new arguments, an object');
  return { ...given, decision } as unknown as Decision;
}

/** Why a decision cannot be taken, by name; `undefined` where it can. */
export function refusalOf(state: AgentState, decision: Decision): HoldfastError | undefined {
  const { id, awaiting, decided } = state;
  const { toolUseId, hash } = decision;
  const done = Object.hasOwn(decided, toolUseId) ? decided[toolUseId] : undefined;
  if (done?.decision === 'expired') return new HoldfastError('ApprovalExpired', { id, toolUseId });
  if (done !== undefined) {
    const { decision: what, by = '', at } = done;
    return new HoldfastError('ApprovalDecided', {
      id,
      toolUseId,
      decision: PAST[what],
      by,
      at: new Date(at).toISOString(),
    });
  }
  const open = awaiting.filter(({ approval, outcome }) => approval && !approval.decision && outcome === undefined);
  const approval = open.find((call) => call.toolUseId === toolUseId)?.approval;
  if (approval === undefined) {
    return new HoldfastError('ApprovalNotFound', { id, toolUseId, pending: open.map((call) => call.toolUseId) });
  }
  if (hash !== undefined && hash !== approval.hash) {
    return new HoldfastError('ApprovalMismatch', { id, toolUseId, expected: approval.hash, given: hash });
  }
  if (!mayDecide(decision, approval.deciders)) {
    return new HoldfastError('NotADecider', { id, toolUseId, by: decision.by, deciders: approval.deciders ?? [] });
  }
  return undefined;
}

const PAST = {
  approve: 'approved',
  deny: 'denied',
  edit: 'approved with other arguments',
  expired: 'expired',
} as const;
