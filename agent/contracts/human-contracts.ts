import { HUMAN_REVIEW, TOOL_APPROVAL } from '../prompts/tools/built-in-tools';
import { defineContract } from './contract';
import { plainSchema } from './plain-schema';

/**
 * Asks for permission to use tools. What an answer allows or denies counts as a decision on those tools before the run
 * continues. Services of this contract have priority 1 by default.
 */
export const toolApproval = defineContract({
  type: 'tool.approval',
  description: TOOL_APPROVAL.description,
  versions: {
    '1.0.0': {
      accepts: plainSchema<{ message: string; tools: string[] }>({
        type: 'object',
        properties: {
          message: { type: 'string', description: TOOL_APPROVAL.message },
          tools: { type: 'array', items: { type: 'string' }, minItems: 1, description: TOOL_APPROVAL.tools },
        },
        required: ['message', 'tools'],
      }),
      emits: {
        'evt.tool.approval.success': plainSchema<{ approvals: { tool: string; value: boolean; comments?: string }[] }>({
          type: 'object',
          properties: {
            approvals: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  tool: { type: 'string' },
                  value: { type: 'boolean' },
                  comments: { type: 'string' },
                },
                required: ['tool', 'value'],
              },
            },
          },
          required: ['approvals'],
        }),
      },
    },
  },
});

/** Asks a person, who answers with a text. Services of this contract have priority 2 by default. */
export const humanReview = defineContract({
  type: 'human.review',
  description: HUMAN_REVIEW.description,
  versions: {
    '1.0.0': {
      accepts: plainSchema<{ prompt: string }>({
        type: 'object',
        properties: {
          prompt: { type: 'string', description: HUMAN_REVIEW.prompt },
        },
        required: ['prompt'],
      }),
      emits: {
        'evt.human.review.success': plainSchema<{ response: string }>({
          type: 'object',
          properties: { response: { type: 'string' } },
          required: ['response'],
        }),
      },
    },
  },
});
