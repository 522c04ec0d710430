import { computeTimeout } from '../../../workers/options/compute-timeout';

// Node ends the process where the limit is exceeded: a limit that a slow machine reaches costs all runs their worker.
it('a workflow task may compute for a minute', () => {
  expect(computeTimeout(false, {})).toEqual({ isolateExecutionTimeout: 60_000 });
});

it.each([
  ['by the option', true, {}],
  ['by the environment', false, { TEMPORAL_DEBUG: '1' }],
])('a person at a breakpoint has the time that debug mode gives, %s', (_, debugMode, env) => {
  expect(computeTimeout(debugMode, env)).toEqual({});
});
