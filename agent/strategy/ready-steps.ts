import type { StepState } from './step-plan';

export type StepOf<Status extends StepState['status']> = Extract<StepState, { status: Status }>;

/** Steps of one status, in the order of the plan. */
export function stepsThat<Status extends StepState['status']>(
  steps: readonly StepState[],
  status: Status,
): StepOf<Status>[] {
  return steps.filter((step): step is StepOf<Status> => step.status === status);
}

/** Whether a step has ended, with or without success. */
export function isEnded({ status }: Pick<StepState, 'status'>): boolean {
  return status === 'done' || status === 'failed';
}

/** The steps that may run now: those that wait for no other. Failed steps that are not critical hold nothing up. */
export function readySteps(steps: readonly StepState[]): StepOf<'waiting'>[] {
  const ended = new Set(steps.filter(isEnded).map(({ step }) => step));
  return stepsThat(steps, 'waiting').filter(({ after }) => after.every((other) => ended.has(other)));
}

/** The failed step that ends the plan. */
export function failedCritical(steps: readonly StepState[]): StepOf<'failed'> | undefined {
  return stepsThat(steps, 'failed').find(({ critical }) => critical);
}
