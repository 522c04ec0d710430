import { workflowTasks } from '../../../workers/options/workflow-tasks';

it.each([
  ['ten', {}, 10],
  ['ten for each of its threads', { workflowThreadPoolSize: 3 }, 30],
  ['not more than it keeps', { maxCachedWorkflows: 4 }, 4],
  ['two if it keeps one', { maxCachedWorkflows: 1 }, 2],
  ['ten if it keeps none', { maxCachedWorkflows: 0 }, 10],
])('a worker takes at once: %s', (_, chosen, slots) => {
  expect(workflowTasks(chosen).maxConcurrentWorkflowTaskExecutions).toBe(slots);
});

it('leaves the number to the tuner of a user', () => {
  const tuner = {} as NonNullable<Parameters<typeof workflowTasks>[0]['tuner']>;
  expect(workflowTasks({ tuner })).not.toHaveProperty('maxConcurrentWorkflowTaskExecutions');
});
