import { BYTES } from '../../limits';
import { MAX_DEPTH } from '../../values/json-depth';

/*
 * What the model reads about services. `tool` is the name of the service as the model knows it.
 */

/** The description of a service that has none. */
export function serviceDescription(contract: string): string {
  return `Ask the service \`${contract}\`. The result is its answer.`;
}

/** Before the data of an answer, where the contract has several kinds of answer. */
export function answerEvent(type: string): string {
  return `Event: ${type}`;
}

/** @param duration such as `30 s` */
export function serviceTimedOut(tool: string, duration: string): string {
  return `\`${tool}\` gave no answer within ${duration}.`;
}

/** @param reason as the service gave it */
export function serviceFailed(tool: string, reason: string): string {
  return `\`${tool}\` failed: ${reason}`;
}

/** The reason of a failure that has none. */
export function noReason(): string {
  return 'it gave no reason';
}

/** How the child workflow of a service ended, after its name. */
export const CHILD_ENDED = {
  cancelled: 'was cancelled by another client.',
  timedOut: 'exceeded the time limit of its own server.',
  terminated: 'was terminated.',
} as const;

export function childEnded(tool: string, how: keyof typeof CHILD_ENDED): string {
  return `\`${tool}\` ${CHILD_ENDED[how]}`;
}

export function childIdTaken(tool: string, id: string): string {
  return `\`${tool}\` was not run: the workflow id \`${id}\` is in use.`;
}

export function childIdTooLong(tool: string, max: number): string {
  return `\`${tool}\` was not run: its workflow id would be longer than ${max} bytes.`;
}

export function unreachable(tool: string, problem: string): string {
  return `\`${tool}\` could not be reached: ${problem}`;
}

export function invalidAnswer(tool: string, problem: string): string {
  return `The answer of \`${tool}\` breaks its contract: ${problem}`;
}

/** Problems of an {@link invalidAnswer}. */
export const ANSWER_PROBLEM = {
  unchecked: 'it was not checked',
  tooDeep: `its data is nested deeper than ${MAX_DEPTH} levels`,
  noService: (name: string) => `the run has no service \`${name}\``,
  type: (type: string, known: readonly string[]) =>
    `type: \`${type}\` is not an answer of the contract, which has ${known.map((one) => `\`${one}\``).join(', ')}`,
  fitsNone: (problems: readonly [type: string, problem: string][]) =>
    `it fits no answer of the contract: ${problems.map(([type, problem]) => `not \`${type}\` (${problem})`).join(', ')}`,
  schema: (given: string, expected: string) => `its schema is \`${given}\`, expected \`${expected}\`.`,
} as const;

export function answerTooLarge(tool: string, bytes: number): string {
  return `The answer of \`${tool}\` is ${bytes} bytes, more than the ${BYTES.result} that can be kept. Ask for less.`;
}

export function answerUnchecked(tool: string, problem: string): string {
  return `\`${tool}\` answered, but its answer could not be checked: ${problem}`;
}

export function answerCancelled(tool: string): string {
  return `\`${tool}\` answered, but it was cancelled before its answer was checked.`;
}
