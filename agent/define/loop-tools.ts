import type { JsonSchema } from '../protocol/manifest';
import type { LoopTool } from './agent-definition';

/** Names of the tools of the loop itself. No other tool may have one of these names. */
export const LOOP_TOOLS = ['ask_question', 'converse', 'task_completion'] as const satisfies readonly LoopTool[];

const text = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description });

const ASKED = {
  question: text('What the person reads'),
  suggestions: { type: 'array', items: { type: 'string' }, description: 'Suggested answers; others are possible' },
};

/** Arguments of a question. If the question has no schema, the model may pass one. */
export function questionSchema(hasSchema: boolean): JsonSchema {
  const schema = { type: 'object', description: 'JSON Schema of the answer. Default: a text' };
  return {
    type: 'object',
    properties: { ...ASKED, ...(hasSchema ? {} : { answer_schema: schema }) },
    required: ['question'],
    additionalProperties: false,
  };
}

export const ASK_DESCRIPTION =
  'Ask the person a question and wait for the answer, which may take days. Ask only what you need to continue.';

export const CONVERSE = {
  description: 'Say something to the person and wait for the reply.',
  inputSchema: {
    type: 'object',
    properties: { message: text('What the person reads') },
    required: ['message'],
    additionalProperties: false,
  } satisfies JsonSchema,
} as const;

/** The tool that takes the result, in the form of the agent's output, or as a text without one. */
export function completion(output: JsonSchema | undefined): { description: string; inputSchema: JsonSchema } {
  const result = output ?? text('The complete result, for the requester');
  return {
    description: 'Give the result when the task is done. This ends the task.',
    inputSchema: { type: 'object', properties: { result }, required: ['result'] },
  };
}
