import { defineContract } from './contract';
import { plainSchema } from './plain-schema';

/**
 * Asks for permission to use tools. What an answer allows or denies counts as a decision on those tools before the run
 * continues. Services of this contract have priority 1 by default.
 */
export const toolApproval = defineContract({
  type: 'tool.approval',
  description: 'Ask for permission to use tools that need it.',
  versions: {
    '1.0.0': {
      accepts: plainSchema<{ message: string; tools: string[] }>({
        type: 'object',
        properties: {
          message: { type: 'string', description: 'What you want to do with the tools, and why' },
          tools: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Names of the tools' },
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
  description: 'Ask a person. The result is their answer.',
  versions: {
    '1.0.0': {
      accepts: plainSchema<{ prompt: string }>({
        type: 'object',
        properties: {
          prompt: { type: 'string', description: 'The question, with everything that the person needs to know' },
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
