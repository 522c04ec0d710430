import { FOLLOW_PLAN_TOOL } from '../../../strategy/offered-tools';
import type { AgentDefinition } from '../../agent-definition';
import { checkApproval } from '../approval';
import { checkFields, checkRecord, fail, isRecord, isText } from '../fail';

const PLAN_PURPOSES = ['planner', 'router', 'synthesis'] as const;
const PURPOSES = [...PLAN_PURPOSES, 'summary'] as const;
/** Tools of one request: servers refuse more than about this many. */
const MAX_STEP_TOOLS = 100;

/** Checks how an agent works on a task, and with which models. */
export function checkStrategy(definition: AgentDefinition, place: string): void {
  checkPlan(definition, `${place}.strategy`);
  checkModels(definition, `${place}.models`);
}

function checkPlan(definition: AgentDefinition, at: string): void {
  const { strategy } = definition;
  if (strategy === undefined || strategy === 'plan') return;
  if (!isRecord(strategy) || strategy.type !== 'plan') fail(at, "Expected `plan` or `{ type: 'plan', … }`");
  checkFields(strategy, ['type', 'approval', 'stepTools'], at);
  const { approval, stepTools } = strategy;
  if (stepTools !== undefined && !(Number.isInteger(stepTools) && stepTools >= 1 && stepTools <= MAX_STEP_TOOLS))
    fail(`${at}.stepTools`, `Expected a whole number from 1 to ${MAX_STEP_TOOLS}, got \`${String(stepTools)}\``);
  if (approval === undefined) return;
  checkApproval(approval, `${at}.approval`);
  if (approval === 'never') return;
  for (const field of ['tools', 'services', 'questions', 'policies'] as const) {
    if (Object.hasOwn(definition[field] ?? {}, FOLLOW_PLAN_TOOL))
      fail(`${at}.approval`, `Plans are shown by a call named \`${FOLLOW_PLAN_TOOL}\`; rename the one in \`${field}\``);
  }
}

function checkModels({ models, strategy, context }: AgentDefinition, at: string): void {
  if (models === undefined) return;
  checkRecord(models, at);
  checkFields(models, PURPOSES, at);
  for (const purpose of PURPOSES) {
    if (models[purpose] !== undefined && !isText(models[purpose]))
      fail(`${at}.${purpose}`, 'Expected the alias of a model');
  }
  for (const purpose of PLAN_PURPOSES) {
    if (models[purpose] !== undefined && strategy === undefined)
      fail(`${at}.${purpose}`, "Only an agent with `strategy: 'plan'` calls it; add the strategy or remove the model");
  }
  if (models.summary === undefined) return;
  if (context?.model !== undefined && context.model !== models.summary)
    fail(`${at}.summary`, '`context.model` names another model; keep one of them');
  if (typeof context?.strategy === 'function' || context?.strategy === 'tool-results')
    fail(`${at}.summary`, 'No model writes summaries with this `context.strategy`; remove one of them');
}
