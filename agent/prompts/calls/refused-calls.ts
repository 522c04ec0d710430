import { MAX_CALLS } from '../../limits';
import { MAX_DEPTH } from '../../values/json-depth';

/*
 * What the model reads about a call that was not run. `tool` is the name of the tool as the model knows it.
 */

export function unknownTool(
  name: string,
  { near, known }: { near: readonly string[]; known: readonly string[] },
): string {
  if (known.length === 0) return `There is no tool named \`${name}\`. You have no tools: answer without one.`;
  const tools = near.length > 0 ? `Similar tools: ${near.join(', ')}` : `Tools: ${known.join(', ')}`;
  return `There is no tool named \`${name}\`. ${tools}.`;
}

export function tooManyCalls(): string {
  return `This call was not run: one answer can make at most ${MAX_CALLS} calls. Make it again in your next answer.`;
}

export function repeatsUnknownOutcome(tool: string, before: string): string {
  return (
    `\`${tool}\` was not run: it is unknown whether the same call ${before} took effect, and it must not happen twice. ` +
    'Find out with another tool, or say in your answer that its outcome is unknown.'
  );
}

/** @param problem each field that does not fit, with what was expected there */
export function argumentsDoNotFit(problem: string): string {
  return `The arguments do not fit: ${problem}`;
}

/** Of a check of arguments by the schema of a tool. */
export function argumentsRefused({ problem, unchecked }: { problem: string; unchecked?: true }): string {
  return unchecked ? problem : argumentsDoNotFit(problem);
}

/** @param why the check took too long, or too much memory */
export function argumentsUnchecked(why: string): string {
  return (
    `The arguments could not be checked against the schema of the tool: ${why}. The call was not started. ` +
    'Call it with smaller or simpler arguments, or do without it'
  );
}

/** @param excerpt the beginning of the arguments, as the model wrote them */
export function argumentsNotJson(excerpt: string): string {
  return `The arguments are not a JSON object: ${excerpt}`;
}

/** @param excess such as `made of more than 20000 values` */
export function argumentsTooLarge(excess: string): string {
  return `The arguments are ${excess}. Call the tool with flatter or smaller arguments.`;
}

export function argumentsTooDeep(): string {
  return `The arguments are nested deeper than ${MAX_DEPTH} levels. Call the tool with flatter arguments.`;
}

export function callCut(): string {
  return 'Your answer reached its maximum length before this call was complete. Make the call again with shorter arguments.';
}

export function argumentsUnfinished(): string {
  return 'This call was not run: its arguments end in the middle. Make the call again with the whole arguments.';
}

export function denied(tool: string, { by = 'a person', comment }: { by?: string; comment?: string }): string {
  return `\`${tool}\` was not run: ${by} denied it${comment ? `: ${comment}` : '.'}`;
}

export function approvalExpired(tool: string): string {
  return `\`${tool}\` was not run: it was not approved in time.`;
}

export function cancelledBeforeRun(tool: string): string {
  return `\`${tool}\` was cancelled before it ran.`;
}

/** @param why with its full stop */
export function notRun(tool: string, why: string): string {
  return `\`${tool}\` was not run: ${why}`;
}

/**
 * About a call that was started nowhere for a minute.
 * @param why with its full stop
 */
export function notAvailable(tool: string, why: string): string {
  return `${notRun(tool, why)} Do not call it again. Use another tool, or say in your answer what you could not do.`;
}

/** Why a call is {@link notAvailable}. Also read by people. */
export function noWorkerHasTool(tool: string): string {
  return `no worker has the tool \`${tool}\`.`;
}

/** Why a call is {@link notAvailable}. */
export function noWorkerHasAgent(): string {
  return 'no worker has the agent of the tool.';
}

/** Why a call is {@link notRun}: its arguments were too large for its history, and their storage did not answer. */
export function inputUnread(): string {
  return 'its arguments could not be read from their storage.';
}

export function neverStarted(tool: string): string {
  return `\`${tool}\` was never started.`;
}

/** @param problem such as `it would wait for itself (desk.a → desk.b → desk.a)` */
export function delegationRefused(agent: string, problem: string): string {
  return `\`${agent}\` was not asked: ${problem}. Do the work yourself.`;
}

/** Why a call was {@link delegationRefused}. `chain` names the agents from the first one. */
export const DELEGATION_PROBLEM = {
  cycle: (chain: string) => `it would wait for itself (${chain})`,
  depth: (max: number, chain: string) => `at most ${max} agents may delegate to one another (${chain})`,
} as const;
