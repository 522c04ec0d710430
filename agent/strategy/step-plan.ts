import type { CallProblem, ToolRequest } from '../model/answer';

/** The most steps of a plan. A model that writes more has not understood the task, or repeats itself. */
export const MAX_STEPS = 10;

/** One step of a plan, with all defaults filled in. */
export interface PlanStep {
  /** Its number in the plan, from 1. */
  step: number;
  /** What it does, in words. */
  description: string;
  /** The MCP server that its tool is expected on. */
  server?: string;
  /** What the planner knows about the arguments of its call, as text. */
  hints?: string;
  /** Steps that have to end first. */
  after: number[];
  /** Whether the plan is given up when the step fails. */
  critical: boolean;
}

/** Where a step is. */
export type StepState = PlanStep &
  (
    | StepWaits
    /** A router has picked its call. `turn`: that of the router, which gives the call its id. */
    | { status: 'picked'; turn: number; request: ToolRequest }
    | { status: 'called'; toolUseId: string }
    /** `call`: its key, if the call must not be made again. */
    | { status: 'done'; toolUseId: string; call?: string }
    /** Missing `toolUseId`: no tool was picked. */
    | { status: 'failed'; problem: string; toolUseId?: string }
  );

/** `tries`: answers of routers without a call that can be made. `problem`: what was wrong with the last one. */
interface StepWaits {
  status: 'waiting';
  tries: number;
  problem?: string;
}

/** The plan of one exchange. A plan of an earlier exchange has no effect. */
export interface PlanState {
  /** Number of the exchange. */
  exchange: number;
  /**
   * `approving`: a person decides on the call with the plan. `running`: steps run. `denied`: nothing runs, and the
   * synthesis says so. `over`: the synthesis has answered, or the single loop goes on.
   */
  stage: 'approving' | 'running' | 'denied' | 'over';
  steps: StepState[];
}

/** Why a plan was given up for the single loop. */
export type FallbackReason =
  /** The planner, a router or the synthesis failed, or gave an answer that cannot be used. */
  | 'planner'
  | 'unreadable'
  | 'step'
  | 'uncalled'
  | 'synthesis'
  /** The quota, the window or the budget asks for a conclusion. */
  | 'limit'
  /** A person said something meanwhile. */
  | 'steered';

/** What a planner has said. */
export type ReadPlan =
  | { type: 'plan'; steps: PlanStep[] }
  /** No tool is needed. */
  | { type: 'direct'; response: string }
  | { type: 'unreadable'; problem: string };

/** A call that a router picked, or what is wrong with its answer. */
export type Picked = { request: ToolRequest } | { problem: CallProblem['message'] };
