import { call, text } from '../kit';
import { plans, step } from '../plans/planner';
import { planner } from './agents';
import { ended, type RunKind } from './run-kind';

const both = [step(1, 'Find a', { depends_on: [] }), step(2, 'Find b', { depends_on: [] })];

/** Runs that follow a plan. */
export const PLAN_RUNS: { readonly [name: string]: RunKind } = {
  'waits/plan-edited': {
    end: '"Both are there."',
    make: async (kit) => {
      kit.model.script(
        plans(step(1, 'Find a')),
        text('I would look.'),
        call('lookup', { id: 'a' }),
        call('lookup', { id: 'b' }),
        text('Both are there.'),
      );
      const run = await kit.start(planner, { input: 'find both' });
      const {
        approvals: [ask],
      } = await run.waiting({ atLeast: { approvals: 1 } });
      if (ask !== undefined) await run.edit(ask, { by: 'ann', input: { steps: both } });
      return ended(run);
    },
  },
  'calls/plan-given-up': {
    end: '"Only a is there."',
    make: async (kit) => {
      kit.model.script(
        plans(...both, step(3, 'Print')),
        call('lookup', { id: 'a' }),
        call('lookup', { id: 'b' }),
        call('broken'),
        text('Only a is there.'),
      );
      const run = await kit.start(planner, { input: 'print both' });
      const {
        approvals: [ask],
      } = await run.waiting({ atLeast: { approvals: 1 } });
      await run.approve(ask, { by: 'ann' });
      return ended(run);
    },
  },
};
