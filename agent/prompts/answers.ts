import { BYTES } from '../limits';
import { MAX_DEPTH } from '../values/json-depth';

/*
 * What the model reads about its own answers, and about the conversation.
 */

export function emptyAnswer(): string {
  return 'Your answer was empty. Answer the task, or call a tool.';
}

/** In place of an answer without a text, which some servers refuse in each request that follows. */
export function noAnswer(): string {
  return '(no answer)';
}

/** Feedback for an agent whose result comes by a call. */
export function noCall(): string {
  return 'You called no tool. Call a tool to continue. When the task is done, call `task_completion` with the result.';
}

/** Asks for a conclusion, before the one further call after the quota is used up. */
export function conclude(max: number): string {
  return `You have reached the limit of ${max} tool calls. No more tools will run. Conclude now with what you know.`;
}

/** Replaces messages that no longer fit the context window. */
export function earlierMessagesLeftOut(): string {
  return '[Earlier messages are left out.]';
}

/** At the end of an answer that is too long to be sent back as a whole. */
export function answerCut(shown: number, chars: number): string {
  return `[cut: the first ${shown} of the ${chars} characters of your answer are shown]`;
}

/** @param schema the output schema, as JSON */
export function outputDoesNotFit(problem: string, { isText, schema }: { isText: boolean; schema: string }): string {
  const what = isText ? 'is not JSON that fits' : 'does not fit';
  return `Your answer ${what} the output schema: ${problem}. Answer only with JSON that fits ${schema}`;
}

/** @param excess such as `made of more than 20000 values` */
export function outputTooComplex(excess: string): string {
  return `Your answer is ${excess}. Answer with a smaller, flatter one.`;
}

/** The feedback of an `outputBuilder` that says nothing. */
export function outputRefused(): string {
  return 'Your answer was not accepted. Compare it with the task, and answer again.';
}

export function outputTooDeep(): string {
  return outputTooComplex(`nested deeper than ${MAX_DEPTH} levels`);
}

export function outputTooLarge(bytes: number): string {
  return `Your answer is ${bytes} bytes, more than the ${BYTES.context} that can be kept. Answer with a shorter one.`;
}

/** The result of `task_completion`, or of another call of the loop, that was accepted. */
export function taskCompleted(): string {
  return 'Done.';
}

export function completionRejected(tool: string, problem: string): string {
  return `\`${tool}\`: ${problem}`;
}
