import type { AgentDefinition } from '../../agent/define/agent-definition';
import type { PlanStrategy } from '../../agent/define/settings/plan-strategy';
import type { ModelConfig } from '../../agent/model/config';
import { FOLLOW_PLAN } from '../../agent/prompts/plans';
import type { Manifest, UnnamedTool } from '../../agent/protocol/manifest';
import { FOLLOW_PLAN_TOOL } from '../../agent/strategy/offered-tools';
import { PLAN_SCHEMA } from '../../agent/strategy/plan-arguments';
import { STEP_TOOLS } from '../../agent/strategy/tools-for-step';
import { defined } from '../../agent/values/defined';
import { approvalSpec } from './approval-spec';
import { DEFAULT_POLICY } from './default-policy';

/** How the runs of an agent work on a task, as they pin it. */
export function strategyOf(definition: AgentDefinition): Pick<Manifest, 'strategy'> {
  const plan = planOf(definition);
  return plan === undefined ? {} : { strategy: { type: 'plan', stepTools: plan.stepTools ?? STEP_TOOLS } };
}

/** The call that shows a plan to a person; none where plans need no approval. */
export function planTools(definition: AgentDefinition): UnnamedTool[] {
  const approval = approvalSpec(planOf(definition)?.approval);
  if (approval === undefined) return [];
  const form = { description: FOLLOW_PLAN.description, inputSchema: PLAN_SCHEMA };
  return [
    {
      name: FOLLOW_PLAN_TOOL,
      kind: 'loop',
      ...form,
      ...DEFAULT_POLICY,
      effect: 'read',
      loop: { does: 'plan' },
      approval,
    },
  ];
}

function planOf({ strategy }: AgentDefinition): PlanStrategy | undefined {
  return strategy === 'plan' ? { type: 'plan' } : strategy;
}

/** Aliases of the models of the strategy. That of summaries is part of the context settings. */
export function purposesOf({ models = {} }: AgentDefinition): Pick<Manifest, 'purposes'> {
  const { planner, router, synthesis } = models;
  const purposes = defined({ planner, router, synthesis });
  return Object.keys(purposes).length === 0 ? {} : { purposes };
}

/** What the agent says, else what the worker says of its main model. */
export function modelClassOf(
  { modelClass, model = 'default' }: AgentDefinition,
  models: Readonly<Record<string, ModelConfig>>,
): Manifest['modelClass'] {
  const [main = 'default'] = [model].flat();
  return modelClass ?? (Object.hasOwn(models, main) ? models[main]?.modelClass : undefined);
}
