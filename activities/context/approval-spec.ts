import type { ApprovalEscalation, ApprovalPolicy, ApprovalSpec } from '../../agent/approvals/approval';
import { defined } from '../../agent/values/defined';
import { milliseconds } from '../../agent/values/duration';

/** What a run pins of an approval policy; `undefined` if no call waits for approval. */
export function approvalSpec(policy: ApprovalPolicy | undefined): ApprovalSpec | undefined {
  if (policy === undefined || policy === 'never') return undefined;
  if (policy === 'always') return { asks: false, onExpire: 'deny' };
  const { when, rememberBy, onExpire = 'deny', deciders } = policy;
  const expires = milliseconds(policy.expires);
  return {
    asks: when !== undefined || rememberBy !== undefined,
    ...defined({ expires }),
    ...(typeof onExpire === 'string'
      ? { onExpire }
      : { onExpire: 'escalate', escalation: escalation(onExpire, expires) }),
    ...(deciders === undefined ? {} : { deciders: [...deciders] }),
  };
}

/** `checkApproval` has made sure that one of the times is set. */
function escalation(
  { escalate, expires, onExpire = 'deny' }: ApprovalEscalation,
  first = 0,
): NonNullable<ApprovalSpec['escalation']> {
  return { deciders: [...escalate], expires: milliseconds(expires) ?? first, onExpire };
}
