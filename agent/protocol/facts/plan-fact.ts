import type { FallbackReason, PlanStep } from '../../strategy/step-plan';

/** A fact about the plan of a task or an exchange, before the run gives it its number and time. */
export type PlanFact =
  /** A model has planned. The steps follow, unless a person has to approve them first. */
  | { type: 'plan.made'; turn: number; steps: PlanStep[] }
  /** A person approved the plan (`approved`, with the steps that run), or did not. */
  | { type: 'plan.decided'; turn: number; approved: boolean; steps: PlanStep[] }
  /** A step was called, or has ended. Missing `toolUseId`: no tool could be picked for it. */
  | {
      type: 'plan.step';
      turn: number;
      step: number;
      description: string;
      status: 'called' | 'done' | 'failed';
      toolUseId?: string;
      name?: string;
      problem?: string;
    }
  /** All steps have ended, and a model writes the answer from their results. */
  | { type: 'plan.done'; turn: number; done: number; failed: number }
  /** No tool was needed: the planner has given the answer itself. */
  | { type: 'plan.direct'; turn: number }
  /** There is no plan, or it was given up. The single loop goes on. */
  | { type: 'plan.fallback'; turn: number; why: FallbackReason; problem?: string };
