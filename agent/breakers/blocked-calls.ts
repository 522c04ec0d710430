import type { CallProblem, ToolRequest } from '../model/answer';
import { failedAgainAndAgain, justMade, madeByPlan, madeTwice, toolWithdrawn } from '../prompts/breakers';
import type { ToolSpec } from '../protocol/manifest';

/** Calls that are not run. Workflow and worker have the same list, so that both plan an answer in the same way. */
export interface BlockedCalls {
  /** Canonical names of tools that failed too often. */
  withdrawn?: string[];
  /** Calls that were just made, by {@link callKey}. */
  made?: string[];
  /** Calls with effect `once` that a plan of this exchange has made, by {@link callKey}. */
  planned?: string[];
  /** The call that failed too often with the same arguments. */
  failed?: { call: string; times: number };
}

/**
 * Names a call by its tool and its arguments.
 * @param hash SHA-256 of the arguments
 */
export function callKey(name: string, hash: string): string {
  return `${name}/${hash}`;
}

/** Why a call is not run, if a breaker is in its way. Calls of the loop itself, such as a question, always run. */
export function blockedProblem(
  tool: ToolSpec,
  { hash }: Pick<ToolRequest, 'hash'>,
  { withdrawn = [], made = [], planned = [], failed }: BlockedCalls,
): CallProblem | undefined {
  const key = callKey(tool.name, hash);
  if (failed?.call === key) {
    return { type: 'RepeatedCall', message: failedAgainAndAgain(tool.modelName, failed.times) };
  }
  if (tool.kind === 'loop') return undefined;
  if (withdrawn.includes(tool.name)) return { type: 'ToolWithdrawn', message: toolWithdrawn(tool.modelName) };
  // With an approval policy a person is asked instead.
  if (planned.includes(key) && tool.approval === undefined) {
    return { type: 'RepeatedCall', message: madeByPlan(tool.modelName) };
  }
  return made.includes(key) ? { type: 'RepeatedCall', message: justMade(tool.modelName) } : undefined;
}

/** The calls of one answer, of which equal ones run once where an agent skips repeated calls. */
export function withoutTwins<Call extends { tool?: ToolSpec; request: ToolRequest; problem?: CallProblem }>(
  calls: readonly Call[],
): Call[] {
  const seen = new Set<string>();
  return calls.map((call) => {
    const { tool, request, problem } = call;
    if (tool === undefined || tool.kind === 'loop' || problem !== undefined) return call;
    const key = callKey(tool.name, request.hash);
    if (seen.has(key)) return { ...call, problem: { type: 'RepeatedCall', message: madeTwice(tool.modelName) } };
    seen.add(key);
    return call;
  });
}
