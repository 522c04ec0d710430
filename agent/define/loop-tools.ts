import type { JsonSchema } from '../protocol/manifest';
import type { LoopTool } from './agent-definition';

/** Names of the tools of the loop itself: no tool of a user's may have one. */
export const LOOP_TOOLS = ['ask_question', 'converse', 'task_completion'] as const satisfies readonly LoopTool[];

const text = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description });

const ASKED = {
  question: text('What the person reads'),
  suggestions: { type: 'array', items: { type: 'string' }, description: 'Answers to choose from; others are possible' },
};

/** What the model has to pass to a question. One that has no schema of its own may ask for one. */
export function questionSchema(hasSchema: boolean): JsonSchema {
  const schema = { type: 'object', description: 'JSON Schema that the answer has to fit. Default: a text' };
  return {
    type: 'object',
    properties: { ...ASKED, ...(hasSchema ? {} : { answer_schema: schema }) },
    required: ['question'],
    additionalProperties: false,
  };
}

export const ASK_DESCRIPTION =
  'Asks the person a question and waits for the answer, which may take days. Ask only what you need to go on.';

export const CONVERSE = {
  description: 'Says something to the person and waits for what they say to it.',
  inputSchema: {
    type: 'object',
    properties: { message: text('What the person reads') },
    required: ['message'],
    additionalProperties: false,
  } satisfies JsonSchema,
} as const;

/** The result in the agent's own form; a text where it has none. */
export function completion(output: JsonSchema | undefined): { description: string; inputSchema: JsonSchema } {
  const result = output ?? text('The whole result, for whoever asked');
  return {
    description: 'Gives the result when the task is done, and ends it.',
    inputSchema: { type: 'object', properties: { result }, required: ['result'] },
  };
}
