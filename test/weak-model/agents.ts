import { type Agent, type AgentDefinition, defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';

/** Model calls that a run may make. */
export const MODEL_CALLS = 12;
/** Calls of `once` tools that have run, by idempotency key. */
export const ranOnce = new Map<string, number>();

const tools = {
  look_up: defineTool({
    description: 'Looks up what is in a drawer of the desk',
    effect: 'read',
    inputSchema: z.object({ drawer: z.enum(['top', 'middle', 'bottom']) }),
    execute: ({ drawer }) => `The ${drawer} drawer has two pens and a stamp.`,
  }),
  order: defineTool({
    description: 'Orders something for the office',
    effect: 'once',
    inputSchema: z.object({ thing: z.string(), pieces: z.number().int().min(1).max(100).default(1) }),
    execute: ({ thing, pieces }, { idempotencyKey = '' }) => {
      ranOnce.set(idempotencyKey, (ranOnce.get(idempotencyKey) ?? 0) + 1);
      return `${pieces} × ${thing.slice(0, 100)} will come tomorrow.`;
    },
  }),
};

/** Beginnings that the weak model is given for its answers, by alias: without them it calls no tool, and plans nothing. */
export const PREFILLS: Readonly<Record<string, readonly string[]>> = {
  default: [],
  text: [
    '',
    '<tool>{"server_name": "local", "tool_name": "look_up", "arguments": {"drawer": "bottom"',
    '<tool>{"server_name": "local", "tool_name": "order", "arguments": {"thing": "',
    '<tool>{"server_name": "local", "tool_name": "',
    '<tool><server_name>local</server_name><tool_name>order</tool_name><arguments><thing>',
  ],
  planner: [
    '',
    '{"needs_tools": true, "steps": [{"step_number": 1, "description": "Look into the top drawer"}',
    '{"needs_tools": true, "steps": [{"step_number": 1, "description": "',
  ],
};

const ENDS: Readonly<Record<string, Partial<AgentDefinition>>> = {
  text: { loopTools: ['ask_question'] },
  schema: { outputSchema: z.object({ pens: z.number().int(), note: z.string().max(40) }) },
  completion: { loopTools: ['ask_question', 'task_completion'] },
  talk: { mode: 'conversation', loopTools: ['converse'] },
};

/** Agents of every protocol, strategy and end; those of calls in text are for small models. */
export function weakAgents(): Agent[] {
  return (['native', 'text'] as const).flatMap((toolCalls) =>
    (['loop', 'plan'] as const).flatMap((strategy) =>
      Object.entries(ENDS).map(([end, more]) =>
        defineAgent({
          name: `weak.${toolCalls}.${strategy}.${end}`,
          instructions: 'You manage an office. Look into the drawers, and order what is missing.',
          toolCalls,
          tools,
          limits: { maxToolInteractions: 4 },
          budget: { modelCalls: MODEL_CALLS },
          ...(toolCalls === 'text' ? { model: 'text', modelClass: 'small' } : {}),
          ...(strategy === 'plan' ? { strategy, models: { planner: 'planner' } } : {}),
          ...more,
        }),
      ),
    ),
  );
}
