import type { PlanStep } from './step-plan';

/** What a model call is for that is not a turn of the single loop. */
export type Purpose = 'planner' | 'router' | 'synthesis';

/** The purpose of a model call, with what the request is made from. */
export type CallPurpose =
  | { for: 'planner' }
  | {
      for: 'router';
      step: Pick<PlanStep, 'step' | 'description' | 'hints'>;
      /** Number of steps of the plan. */
      of: number;
      /** Canonical names of the tools that the request offers. */
      tools: string[];
      /** What was wrong with the answer before this one. */
      problem?: string;
    }
  | {
      for: 'synthesis';
      /** Steps that have failed. Missing: none. */
      failed?: { step: number; problem: string }[];
    };

/** Aliases of models by purpose. Missing: the model in use. */
export type PurposeModels = { [P in Purpose]?: string };
