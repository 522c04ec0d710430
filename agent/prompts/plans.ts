/*
 * What the models of the strategy `plan` read: the one that plans, the one that picks a tool, the one that answers, and
 * the model that takes over when a plan is given up.
 */

/** A tool, as a planner reads about it. */
export interface ToolLine {
  name: string;
  /** The MCP server. Missing: it has none. */
  server?: string;
  description: string;
}

/** Joins the system prompt of an agent and what is said for one call. */
export function withInstructions(system: string | undefined, more: string): string {
  return system ? `${system}\n\n${more}` : more;
}

export function planTask(tools: readonly ToolLine[], maxSteps: number): string {
  return [
    'Plan how to do the task with the tools below. Do not call a tool, and do not do the task yet.',
    'Answer only with JSON in this form:',
    '{"needs_tools": true, "steps": [{"step_number": 1, "description": "what to do", "expected_server": "server of the tool", "hint_params": {"name": "value"}, "depends_on": [], "critical": true}]}',
    `- Write at most ${maxSteps} steps. Each step is one call of one tool.`,
    '- `depends_on`: numbers of the steps that must end first. Without it, a step runs after the step before it. Steps that do not depend on each other run at the same time.',
    '- `critical`: false if the task can be done without the step.',
    '- `hint_params`: arguments that you know. Leave out what a step before has to find out.',
    '- Plan no call that has already been made.',
    'If the task needs no tool, answer with {"needs_tools": false, "direct_response": "your answer"}.',
    '',
    'Tools:',
    ...tools.map(
      ({ name, server, description }) =>
        `- ${name}${server === undefined ? '' : ` (server ${server})`}: ${description}`,
    ),
  ].join('\n');
}

/** Ends the request of a planner. Small models follow what comes last. */
export function planNow(): string {
  return 'Write the plan as JSON now.';
}

export function pickTool(): string {
  return 'You choose the tool for one step of a plan. Call exactly one tool. Take the arguments from the conversation and from results of tools. Write no text.';
}

export function doStep(
  { step, of, description, hints }: { step: number; of: number; description: string; hints?: string },
  problem?: string,
): string {
  const known = hints === undefined ? '' : `\nKnown arguments: ${hints}`;
  const again = problem === undefined ? '' : `\nYour last answer could not be used: ${problem}`;
  return `Step ${step} of ${of}: ${description}${known}${again}\nCall one tool for this step now.`;
}

/** What a router reads that picked the call of another step, which has an effect. */
export function madeByAnotherStep(tool: string): string {
  return `\`${tool}\` was not called: another step of the plan makes the same call, which must not run twice. Choose the call for this step.`;
}

/** What is wrong with the answer of a router. */
export function noToolCalled(): string {
  return 'It called no tool.';
}

export function answerFromResults(): string {
  return 'The work is done as far as the conversation shows. Answer the user now, from the results of the tools. Call no tool. Say openly what failed or was not done.';
}

/** Ends the request of a synthesis. */
export function answerNow(failed: readonly { step: number; problem: string }[]): string {
  const lines = failed.map(({ step, problem }) => `Step ${step} failed: ${problem}`);
  return [...lines, 'Write the answer for the user now.'].join('\n');
}

/** Tells the model of the single loop what was done before it. */
export function planGivenUp(
  steps: readonly { step: number; description: string; status: 'done' | 'failed' | 'open' }[],
  why: string | undefined,
): string {
  const lines = steps.map(({ step, description, status }) => `- Step ${step}, ${STATUS[status]}: ${description}`);
  return [
    `A plan for the task was given up${why === undefined ? '' : `: ${why}`}.`,
    ...lines,
    'The calls above have been made. Do not repeat calls that succeeded. Do what is still needed, and then answer.',
  ].join('\n');
}

const STATUS = { done: 'done', failed: 'failed', open: 'not done' } as const;

export function callInWords(tool: string, input: string): string {
  return `[called ${tool} with ${input}]`;
}

export function resultInWords(tool: string, failed: boolean): string {
  return failed ? `[error of ${tool}]` : `[result of ${tool}]`;
}

/** Of the call with which a plan is shown to a person. */
export const FOLLOW_PLAN = {
  description: 'The plan for the task. It runs when a person approves it.',
  steps: 'At most ten steps',
} as const;

/** The result of the call with a plan. */
export function planApproved(): string {
  return 'The plan is approved. Its steps run now.';
}

export function planUnreadable(problem: string): string {
  return `The plan cannot be followed: ${problem}`;
}
