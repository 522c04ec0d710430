/*
 * What the model reads about calls of MCP servers. `problem` may end with a full stop or without.
 */

export function mcpAsked(server: string, problem: string): string {
  return `The MCP server \`${server}\` asked for ${sentence(problem)} The call cannot continue.`;
}

/** What a server asked for that no person can be asked. */
export const CANNOT_ASK = {
  tooMany: (count: number, max: number) => `${count} things at once, more than the limit of ${max}`,
  tooLarge: (bytes: number, max: number) => `${bytes} bytes of input, more than the ${max} that can be kept`,
  method: (method: string) => `\`${method}\`, which a person cannot give`,
  nameless: 'something without a name, which a person cannot give',
  noQuestion: 'an answer to a question without a text',
  noPage: 'a visit to an invalid page address',
  mode: (mode: string) => `an answer in the unknown mode ${mode}`,
  noFields: 'an answer to a form without fields',
  brokenForm: (why: string | undefined) => `an answer to a form that cannot be used: ${why}`,
} as const;

export function mcpAnswered(server: string, what: string): string {
  return `The MCP server \`${server}\` answered ${sentence(what)}`;
}

/** What an MCP server {@link mcpAnswered}. */
export const MCP_ANSWER = {
  tooDeep: (levels: number) => `with data nested deeper than ${levels} levels`,
  invalid: (problem: string) => `with an invalid result: ${problem}`,
} as const;

export function mcpRefused(server: string, problem: string): string {
  return `The MCP server \`${server}\` refused the call: ${sentence(problem)}`;
}

/** Why a call was {@link mcpRefused}: the server asks to be called again and requests nothing. */
export function calledAgain(times: number): string {
  return `it wanted to be called again ${times} times in a row`;
}

export function mcpUnsent(server: string, problem: string): string {
  return `The call did not reach the MCP server \`${server}\`: ${sentence(problem)}`;
}

export function mcpEnded(server: string, problem: string): string {
  return `The MCP server \`${server}\` ended during the call: ${sentence(problem)}`;
}

export function mcpTimedOut(tool: string, seconds: number): string {
  return `\`${tool}\` did not answer within ${seconds} s.`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
