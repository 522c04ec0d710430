import type { ApprovalPolicy, ApprovalRules } from '../../approvals/approval';
import { checkDuration, checkFields, fail, isRecord } from './fail';

const RULES = ['when', 'expires', 'onExpire', 'deciders', 'rememberBy'];
const ESCALATION = ['escalate', 'expires', 'onExpire'];

/** Checks an approval policy; `place` names it in messages. */
export function checkApproval(policy: ApprovalPolicy, place: string): void {
  if (policy === 'never' || policy === 'always') return;
  if (!isRecord(policy)) fail(place, `Expected \`never\`, \`always\` or rules, got \`${String(policy)}\``);
  const rules = policy as ApprovalRules;
  checkFields(rules, RULES, place);
  for (const field of ['when', 'rememberBy'] as const) {
    if (rules[field] !== undefined && typeof rules[field] !== 'function')
      fail(`${place}.${field}`, 'Expected a function');
  }
  checkDuration(rules.expires, `${place}.expires`, '3d');
  checkDeciders(rules.deciders, `${place}.deciders`);
  checkExpiry(rules, `${place}.onExpire`);
}

function checkExpiry({ expires, onExpire }: ApprovalRules, place: string): void {
  if (onExpire === undefined) return;
  if (isRecord(onExpire)) {
    checkFields(onExpire, ESCALATION, place);
    if (onExpire.escalate === undefined) fail(`${place}.escalate`, 'Expected the names or roles of the next deciders');
    checkDeciders(onExpire.escalate, `${place}.escalate`);
    checkDuration(onExpire.expires, `${place}.expires`, '3d');
    if (!['deny', 'fail', undefined].includes(onExpire.onExpire))
      fail(`${place}.onExpire`, 'Expected `deny` or `fail`');
  } else if (onExpire !== 'deny' && onExpire !== 'fail') {
    fail(place, `Expected \`deny\`, \`fail\` or \`{ escalate: […] }\`, got \`${String(onExpire)}\``);
  }
  // A policy that can never take effect would look like a safeguard.
  if (expires === undefined) fail(place, 'Nothing expires without `expires`; say how long a call waits');
}

function checkDeciders(deciders: unknown, place: string): void {
  if (deciders === undefined) return;
  const fits = (one: unknown) => typeof one === 'string' && one.replace(/^role:/, '').trim() !== '';
  if (Array.isArray(deciders) && deciders.length > 0 && deciders.every(fits)) return;
  fail(place, 'Expected at least one name, or role such as `role:finance`, in a list');
}
