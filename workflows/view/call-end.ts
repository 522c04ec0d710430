import type { FactBody } from '../../agent/protocol/facts/fact';

type ErrorType = Extract<FactBody, { type: 'tool.error' }>['error']['type'];

/** Errors of calls that never began. */
const NOT_RUN: ReadonlySet<ErrorType> = new Set<ErrorType>([
  'UnknownTool',
  'InvalidJson',
  'InvalidArguments',
  'AnswerCut',
  'TooManyCalls',
  'BudgetUsedUp',
  'RepeatedCall',
  'ToolWithdrawn',
  'ToolMissing',
  'Denied',
  'ApprovalExpired',
  'DelegationRefused',
]);

/** Markdown that tells a call that was not run from one that ran and failed. */
export function notRun(why: string): string {
  return `**not run**, ${why}`;
}

/** How a call without a result has ended. */
export function failedEnd(type: ErrorType): string {
  if (NOT_RUN.has(type)) return notRun(type);
  if (type === 'ToolCancelled') return '**cancelled**';
  return type === 'OutcomeUnknown' ? `**may have run**, ${type}` : `**failed**, ${type}`;
}
