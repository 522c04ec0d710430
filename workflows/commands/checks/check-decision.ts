import { type Decision, mayDecide } from '../../../agent/approvals/approval';
import { HoldfastError } from '../../../agent/errors/error';
import type { AgentState } from '../../../agent/state/state';
import { isJsonObject, jsonBytes } from '../../../agent/values/json';
import { isNestedDeeper, MAX_DEPTH } from '../../../agent/values/json-depth';
import { shorten } from '../../../agent/values/shorten';
import { waitsFor } from '../../state/selectors/wait-of';

const FIELDS = {
  approve: ['toolUseId', 'by', 'roles', 'hash', 'remember', 'comment'],
  deny: ['toolUseId', 'by', 'roles', 'hash', 'remember', 'reason'],
  edit: ['toolUseId', 'by', 'roles', 'hash', 'input', 'remember', 'comment'],
} as const;

/**
 * Characters of a decision's texts. The history holds them, and a refusal repeats them: two megabytes would be too much
 * for the completion of a workflow task, which would then fail forever.
 */
const MAX = { toolUseId: 100, by: 200, hash: 100, comment: 2000, reason: 2000 } as const;
const NEEDED = ['toolUseId', 'by'] as const;
const MAX_ROLES = 100;
/** Bytes of edited arguments. One workflow task of 4 MB may accept all updates in flight, and repeats them. */
const MAX_INPUT = 64 * 1024;

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
    fail(`Unknown field \`${shorten(strange, 50)}\` in \`${decision}\`; known are ${fields.join(', ')}`);
  for (const field of NEEDED) {
    const text = given[field];
    if (typeof text !== 'string' || text.trim() === '') fail(`Expected \`${field}\` to be a string`);
  }
  for (const [field, max] of Object.entries(MAX)) {
    const text = given[field];
    if (text === undefined) continue;
    if (typeof text !== 'string') return fail(`Expected \`${field}\` to be a string`);
    if (text.length > max) fail(`Expected \`${field}\` to have at most ${max} characters, it has ${text.length}`);
  }
  const { remember } = given;
  if (given.roles !== undefined && !areRoles(given.roles)) {
    fail(`Expected \`roles\` to be a list of at most ${MAX_ROLES} short texts`);
  }
  if (remember !== undefined && remember !== 'once' && remember !== 'run' && remember !== 'agent') {
    fail('Expected `remember` to be `once`, `run` or `agent`');
  }
  const wrong = decision === 'edit' ? problemOf(given.input) : undefined;
  if (wrong !== undefined) fail(wrong);
  return { ...given, decision } as unknown as Decision;
}

function areRoles(given: unknown): boolean {
  const isRole = (role: unknown) => typeof role === 'string' && role.length <= MAX.by;
  return Array.isArray(given) && given.length <= MAX_ROLES && given.every(isRole);
}

function problemOf(input: unknown): string | undefined {
  if (!isJsonObject(input)) return 'Expected `input` to be the new arguments, an object';
  if (isNestedDeeper(input)) return `\`input\` is nested deeper than ${MAX_DEPTH} levels`;
  const bytes = jsonBytes(input);
  return bytes > MAX_INPUT ? `\`input\` is ${bytes} bytes, more than the limit of ${MAX_INPUT}` : undefined;
}

/** The error with which a decision is refused; `undefined` where it is accepted. */
export function refusalOf(state: AgentState, decision: Decision): HoldfastError | undefined {
  const { id, batch, decided } = state;
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
  const open = waitsFor(batch, 'approval');
  const approval = open.find(({ call }) => call.toolUseId === toolUseId)?.approval;
  if (approval === undefined) {
    const pending = open.map(({ call }) => call.toolUseId);
    return new HoldfastError('ApprovalNotFound', { id, toolUseId, pending });
  }
  if (hash !== undefined && hash !== approval.hash) {
    return new HoldfastError('ApprovalMismatch', { id, toolUseId, expected: approval.hash, given: hash });
  }
  if (!mayDecide(decision, approval.deciders)) {
    const { by, roles = [] } = decision;
    const given = roles.length > 0 ? { roles: [...roles] } : {};
    return new HoldfastError('NotADecider', { id, toolUseId, by, ...given, deciders: approval.deciders ?? [] });
  }
  return undefined;
}

const PAST = {
  approve: 'approved',
  deny: 'denied',
  edit: 'approved with other arguments',
  expired: 'expired',
} as const;
