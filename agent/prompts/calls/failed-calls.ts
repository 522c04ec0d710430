/*
 * What the model reads about a call that was run and failed. `tool` is the name of the tool as the model knows it.
 */

/** @param why what the tool threw */
export function toolFailed(tool: string, why: string): string {
  return `\`${tool}\` failed: ${why}`;
}

export function failedWithoutReason(tool: string): string {
  return `\`${tool}\` failed and gave no reason.`;
}

/** @param why with its full stop */
export function noResult(tool: string, why: string): string {
  return `\`${tool}\` gave no result: ${why}`;
}

export function noResultInTime(tool: string, seconds: number): string {
  return `\`${tool}\` gave no result within ${seconds} s.`;
}

export function noResultAsItBlocked(tool: string, seconds: number): string {
  return `${noResult(tool, blockedWorker(seconds))} Do not repeat the call.`;
}

/** Why a call gave no result, or what else went wrong. */
export function blockedWorker(seconds: number): string {
  return `it blocked its worker for ${seconds} s, and nothing else could run there meanwhile.`;
}

/**
 * About a call that may not happen twice.
 * @param why with its full stop
 */
export function outcomeUnknown(tool: string, why: string): string {
  return (
    `${unknown(tool, why)} The same call does not run again. Find out with another tool whether it took effect, or say ` +
    'in your answer that you do not know.'
  );
}

/**
 * About a call that may happen again under its own key only, and the next call has another one.
 * @param why with its full stop
 */
export function mayHaveActed(tool: string, why: string): string {
  return (
    `${unknown(tool, why)} Before you call it again, find out with another tool whether it took effect. If you cannot, ` +
    'say in your answer that you do not know.'
  );
}

/** @param problem why the call could not be run once more; may end with a full stop or without */
export function unknownFromEarlier(tool: string, problem: string): string {
  return mayHaveActed(tool, `an earlier attempt may have run, and no further one could: ${sentence(problem)}`);
}

function unknown(tool: string, why: string): string {
  return `It is unknown whether \`${tool}\` took effect: ${why}`;
}

/** Why a call gave no result, or why its outcome is unknown. */
export const LOST = {
  worker: 'its worker died or stopped answering.',
  shutdown: 'its worker was shut down during the call.',
  cancel: 'the run was cancelled during the call.',
  unreadable: 'it ran, but its result cannot be read.',
  unwritten: 'it ran, but its result could not be stored.',
  answer: 'it gave no answer.',
  attempt: 'its worker was lost during the call.',
} as const;

export function cancelled(tool: string): string {
  return `\`${tool}\` was cancelled.`;
}

/** @param problem what JSON would lose, and what to return instead */
export function resultUnwritable(tool: string, problem: string): string {
  return `\`${tool}\` ran, but its result cannot be written as JSON: ${problem}`;
}

/** @param problem each field that does not fit, with what was expected there */
export function resultDoesNotFit(tool: string, problem: string): string {
  return `\`${tool}\` ran, but its result does not fit its output schema: ${problem}`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
