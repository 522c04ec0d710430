import type { ToolRequest } from '../../model/answer';
import type { NameRepair } from '../../model/names/name-repair';
import type { PlanState, PlanStep, StepState } from '../../strategy/step-plan';
import { count, flag, jsonObject, listOf, maybe, objectOf, oneOf, text, withStatus } from '../../values/form';
import { problem, ruled } from './batch-form';

const step = objectOf<PlanStep>({
  step: count,
  description: text,
  server: maybe(text),
  hints: maybe(text),
  after: listOf(count),
  critical: flag,
});

const request = objectOf<ToolRequest>({
  providerId: maybe(text),
  name: text,
  input: jsonObject,
  hash: text,
  approval: maybe(ruled),
  problem: maybe(problem),
  repaired: maybe(objectOf<NameRepair>({ from: text, how: oneOf({ unprefixed: true, alias: true, similar: true }) })),
  rawInput: maybe(text),
});

/** The form of the plan of an exchange. */
export const planForm = objectOf<PlanState>({
  exchange: count,
  stage: oneOf({ approving: true, running: true, denied: true, over: true }),
  steps: listOf(
    withStatus<StepState, PlanStep>(step, {
      waiting: objectOf<{ tries: number; problem?: string }>({ tries: count, problem: maybe(text) }),
      picked: objectOf<{ turn: number; request: ToolRequest }>({ turn: count, request }),
      called: objectOf<{ toolUseId: string }>({ toolUseId: text }),
      done: objectOf<{ toolUseId: string; call?: string }>({ toolUseId: text, call: maybe(text) }),
      failed: objectOf<{ problem: string; toolUseId?: string }>({ problem: text, toolUseId: maybe(text) }),
    }),
  ),
});
