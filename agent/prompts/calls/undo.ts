/*
 * What the model reads about calls that people undo. `call` is the id, the name and the arguments of the call.
 */

export function wasUndone(call: string, result: string): string {
  return `The person undid ${call}: ${result}`;
}

export function undoFailed(call: string, problem: string): string {
  return `The person tried to undo ${call}, but it could not be undone: ${problem}`;
}

export function undoUnknown(call: string, problem: string): string {
  return `The person tried to undo ${call}, but it is unknown whether that worked: ${problem}`;
}

/** What the problems of an undo call its tool. */
export function undoOf(tool: string): string {
  return `undo of ${tool}`;
}

/** Why an undo failed. `tool` is the canonical name of the tool whose call is undone. */
export const UNDO_PROBLEM = {
  noTool: (tool: string) => `The run has no tool \`${tool}\`.`,
  noWorker: (tool: string) => `no worker has an \`undo\` of \`${tool}\`.`,
  arguments: (problem: string) => `The arguments no longer fit: ${problem}`,
  tooLate: (tool: string, seconds: number) => `The \`undo\` of \`${tool}\` returned nothing within ${seconds} s.`,
  threw: (tool: string, problem: string) => `The \`undo\` of \`${tool}\` failed: ${problem}`,
  noCall: (tool: string) => `The \`undo\` of \`${tool}\` did not return \`{ tool, input }\`.`,
  unknownTool: (tool: string, named: string) =>
    `The \`undo\` of \`${tool}\` names \`${named}\`, which the run does not have.`,
  wrongTool: (tool: string, named: string) =>
    `The \`undo\` of \`${tool}\` names \`${named}\`, which an undo cannot call.`,
  asks: (named: string) => `\`${named}\` was not run: it asks a person first.`,
} as const;
