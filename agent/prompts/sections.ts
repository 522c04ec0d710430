import type { JsonObject } from '../values/json';

/*
 * What the model reads as default sections of the prompt of an agent with `prompt`.
 */

/** @param completes only the tool `task_completion` gives the answer */
export function agentLoop(completes: boolean, hasTools: boolean): string {
  if (!hasTools) return 'Answer with all that is asked for. Nothing runs after your answer.';
  const end = completes
    ? 'When the task is done, call task_completion with the result.'
    : 'When the task is done, answer without calling a tool.';
  return (
    'You work in a loop. In each step, call the tools that you need next, and read their results. ' +
    `Continue until the task is done; do not announce a step without taking it. ${end}`
  );
}

/** @param servers names of MCP servers */
export function capabilities({
  tools,
  servers,
  asks,
}: {
  tools: number;
  servers: readonly string[];
  asks: boolean;
}): string {
  if (tools === 0) return 'You have no tools. Say so if the task needs one.';
  return [
    `You can act only through your ${tools === 1 ? 'one tool' : `${tools} tools`}. Do not claim an action that no tool has confirmed.`,
    ...(servers.length === 0 ? [] : [`Some tools are on these servers: ${servers.join(', ')}.`]),
    ...(asks ? ['Ask the person, with the tool for it, only for what no other tool can tell you.'] : []),
  ].join(' ');
}

export function chainOfThought(): string {
  return (
    'Before each step, think: what is known, what is missing, which one action brings the task forward. ' +
    'After a failed step, find the reason before you try something else.'
  );
}

/** How to call tools, for a model that reads them as a text. */
export function callingRules(): string {
  return (
    'Call a tool only by its exact name, with all required arguments, and with values that fit its schema. ' +
    'Do not invent tools, arguments or results.'
  );
}

interface ShownTool {
  modelName: string;
  description: string;
  inputSchema: JsonObject;
}

/** The agent's own tools. */
export function toolSchemas(tools: readonly ShownTool[]): string {
  return tools.length === 0 ? '' : `Your tools:\n${tools.map(toolLine).join('\n')}`;
}

/** The tools of MCP servers. */
export function mcpSchemas(tools: readonly ShownTool[]): string {
  return tools.length === 0 ? '' : `Tools of servers:\n${tools.map(toolLine).join('\n')}`;
}

function toolLine({ modelName, description, inputSchema }: ShownTool): string {
  return `- ${modelName}: ${description} Arguments: ${JSON.stringify(inputSchema)}`;
}
