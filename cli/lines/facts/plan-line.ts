import type { Fact } from '../../../agent/protocol/facts/fact';
import type { FallbackReason } from '../../../agent/strategy/step-plan';

export type PlanLineFact = Extract<Fact, { type: `plan.${string}` }>;

/** The text of a fact about a plan. */
export function planLine(fact: PlanLineFact): string {
  switch (fact.type) {
    case 'plan.made':
      return `${stepsText(fact.steps.length)}: ${fact.steps.map(stepText).join(' | ')}`;
    case 'plan.decided':
      return fact.approved ? `approved: ${fact.steps.map(stepText).join(' | ')}` : 'not approved, nothing runs';
    case 'plan.step': {
      const { step, description, status, toolUseId, name, problem } = fact;
      const call = toolUseId === undefined ? '' : ` (${toolUseId}${name === undefined ? '' : ` ${name}`})`;
      return `step ${step} ${STATUS[status]}${call}: ${problem ?? description}`;
    }
    case 'plan.done':
      return `${stepsText(fact.done)} done, ${fact.failed} failed`;
    case 'plan.direct':
      return 'no tool is needed';
    case 'plan.fallback':
      return `the single loop goes on, ${WHY[fact.why]}${fact.problem === undefined ? '' : `: ${fact.problem}`}`;
  }
}

const STATUS = { called: 'runs', done: 'is done', failed: 'failed' } as const;

const WHY: { readonly [Reason in FallbackReason]: string } = {
  planner: 'since the model that plans failed',
  unreadable: 'since the plan is unreadable',
  step: 'since a step failed',
  uncalled: 'since no step called a tool',
  synthesis: 'since the model that answers from the results failed',
  limit: 'since a limit is reached',
  steered: 'with a message that came meanwhile',
};

function stepText({ step, description }: { step: number; description: string }): string {
  return `${step}. ${description}`;
}

function stepsText(count: number): string {
  return count === 1 ? '1 step' : `${count} steps`;
}
