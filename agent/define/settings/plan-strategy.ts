import type { ApprovalPolicy } from '../../approvals/approval';
import type { JsonObject } from '../../values/json';

/** How an agent plans. */
export interface PlanStrategy {
  /** The strategy. */
  type: 'plan';
  /**
   * Whether a plan waits for a person before it runs. It is then a call of the tool `follow_plan`, whose arguments are
   * the plan: it can be approved, denied with a reason, and edited like any call. Default `never`.
   */
  approval?: ApprovalPolicy<JsonObject>;
  /** How many tools are offered for one step, from 1 to 100. Default 15. */
  stepTools?: number;
}
