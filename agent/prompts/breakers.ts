/*
 * What the model reads when it repeats itself or fails again and again. `tool` is the name of the tool as the model knows
 * it.
 */

/** The result of a call that is not run again. */
export function justMade(tool: string): string {
  return `\`${tool}\` was not run: you have just made this call. Use its result, or do the next step.`;
}

/** The result of a call that a step of the plan has made. */
export function madeByPlan(tool: string): string {
  return `\`${tool}\` was not run: the plan has made this call, and it succeeded. Use its result, or do the next step.`;
}

/** The result of a call that another one in the same answer equals. */
export function madeTwice(tool: string): string {
  return `\`${tool}\` was not run again: your answer has this call twice. Use the result of the first one.`;
}

/** The result of a call that is not run again, since it failed too often. */
export function failedAgainAndAgain(tool: string, times: number): string {
  return `\`${tool}\` was not run: this call failed ${times} times in a row.`;
}

/** After a call has failed too often. */
export function sameCallFails(tool: string, times: number): string {
  return (
    `\`${tool}\` failed ${times} times in a row with the same arguments. Do not make this call again. ` +
    'Change the arguments, use another tool, or answer without it.'
  );
}

/** The result of a call of a tool that is withdrawn. */
export function toolWithdrawn(tool: string): string {
  return `\`${tool}\` was not run: it is withdrawn, since it failed too often. Use another tool, or answer without it.`;
}

/** When a tool is withdrawn. */
export function withdraws(tool: string, times: number): string {
  return `\`${tool}\` failed ${times} times in a row and is withdrawn. Do not call it. Use another tool, or answer without it.`;
}

/** After answers with only failed calls. `names`: the tools that are left. */
export function onlyFailures(names: readonly string[]): string {
  if (names.length === 0) return 'All your last calls failed. No tool is left. Answer with what you know.';
  return `All your last calls failed. These tools exist: ${names.join(', ')}. Use their exact names, and arguments that fit.`;
}

/** Asks for a conclusion, before the one further call. */
export function concludeRepeating(): string {
  return 'You repeat the same call. No more tools will run. Conclude now with what you know, and say what is not done.';
}

/** Asks for a conclusion, after two empty answers. */
export function concludeSilent(): string {
  return 'Your last answers were empty. No more tools will run. Sum up now what you did, and say what is not done.';
}

/** The answer of a model that says nothing even then. It is for people, and part of the transcript. */
export function noAnswer(): string {
  return 'The model gave no answer. What its calls have done is in the transcript.';
}
