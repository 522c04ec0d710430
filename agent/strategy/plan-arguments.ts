import { FOLLOW_PLAN } from '../prompts/plans';
import type { JsonSchema } from '../protocol/manifest';
import { defined } from '../values/defined';
import type { JsonObject } from '../values/json';
import { MAX_STEPS, type PlanStep } from './step-plan';

/** The arguments of the call that shows a plan to a person. They have the form that planners write. */
export function planArguments(steps: readonly PlanStep[]): JsonObject {
  return {
    steps: steps.map(({ step, description, server, hints, after, critical }) => ({
      step_number: step,
      description,
      ...defined({ expected_server: server, hint_params: hints }),
      depends_on: after,
      critical,
    })),
  };
}

/** What a person may make of them. */
export const PLAN_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    steps: {
      type: 'array',
      description: FOLLOW_PLAN.steps,
      minItems: 1,
      maxItems: MAX_STEPS,
      items: {
        type: 'object',
        properties: {
          step_number: { type: 'integer', minimum: 1 },
          description: { type: 'string', minLength: 1 },
          expected_server: { type: 'string' },
          hint_params: { type: 'string' },
          depends_on: { type: 'array', items: { type: 'integer', minimum: 1 } },
          critical: { type: 'boolean' },
        },
        required: ['description'],
        additionalProperties: false,
      },
    },
  },
  required: ['steps'],
  additionalProperties: false,
};
