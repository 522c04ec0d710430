import type { AgentState } from '../../agent/state/state';
import type { StepState } from '../../agent/strategy/step-plan';
import { code } from './code-text';

/** Characters of a step's description. */
const MAX_DESCRIPTION = 100;

/** The plan of the exchange in progress, with where each step is. */
export function planLines({ plan, exchange }: Pick<AgentState, 'plan' | 'exchange'>): string[] {
  if (plan === undefined || plan.exchange !== exchange || plan.steps.length === 0) return [];
  const over = plan.stage === 'over' ? ', over' : '';
  return [
    '',
    `Plan${over}:`,
    '',
    ...plan.steps.map((step) => `- ${step.step} ${code(step.description, MAX_DESCRIPTION)}: ${doing(step)}`),
  ];
}

function doing(step: StepState): string {
  switch (step.status) {
    case 'waiting':
      return 'waits';
    case 'picked':
      return `has picked ${code(step.request.name)}`;
    case 'called':
      return `runs as ${step.toolUseId}`;
    case 'done':
      return `done, ${step.toolUseId}`;
    case 'failed':
      return `failed, ${code(step.problem, MAX_DESCRIPTION)}`;
  }
}
