import { ASK_QUESTION, CONVERSE as CONVERSE_TEXT, TASK_COMPLETION } from '../../prompts/tools/built-in-tools';
import type { JsonSchema } from '../../protocol/manifest';
import type { LoopTool } from '../agent-definition';

/** Names of the tools of the loop itself. No other tool may have one of these names. */
export const LOOP_TOOLS = ['ask_question', 'converse', 'task_completion'] as const satisfies readonly LoopTool[];

const text = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description });

const ASKED = {
  question: text(ASK_QUESTION.question),
  suggestions: { type: 'array', items: { type: 'string' }, description: ASK_QUESTION.suggestions },
};

/** Arguments of a question. If the question has no schema, the model may pass one. */
export function questionSchema(hasSchema: boolean): JsonSchema {
  const schema = { type: 'object', description: ASK_QUESTION.answerSchema };
  return {
    type: 'object',
    properties: { ...ASKED, ...(hasSchema ? {} : { answer_schema: schema }) },
    required: ['question'],
    additionalProperties: false,
  };
}

export const CONVERSE = {
  description: CONVERSE_TEXT.description,
  inputSchema: {
    type: 'object',
    properties: { message: text(CONVERSE_TEXT.message) },
    required: ['message'],
    additionalProperties: false,
  } satisfies JsonSchema,
} as const;

/** The tool that takes the result, in the form of the agent's output, or as a text without one. */
export function completion(output: JsonSchema | undefined): { description: string; inputSchema: JsonSchema } {
  const result = output ?? text(TASK_COMPLETION.result);
  return {
    description: TASK_COMPLETION.description,
    inputSchema: { type: 'object', properties: { result }, required: ['result'] },
  };
}
