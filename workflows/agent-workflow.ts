import type { RunResult } from '../agent/protocol/run';
import { act, resumeCalls } from './calls/act';
import { takeCommands } from './commands/take-commands';
import { moveOnIfDue, untilItMoves } from './run/carry/move-on';
import { toItsEnd } from './run/end-run';
import { exchanges } from './run/exchanges';
import { openRun, type Run } from './run/run';
import { runSteps, type Steps, until } from './run/scheduling/steps';
import { start } from './run/start';
import { byStrategy, followPlan } from './strategy/follow-plan';
import { compact } from './turn/compact';
import { finish } from './turn/finish';
import { plan } from './turn/plan';
import { gate } from './turn/quota-gate';
import { think } from './turn/think';
import { firstStep } from './turn/verdict';
import { answerQueries } from './view/queries';

/** A run of any agent: `init → exchange*`, in one history or in several. A task has one exchange. */
export function agentWorkflow(given: unknown): Promise<RunResult> {
  const { run, beginning } = openRun(given);
  answerQueries(run);
  takeCommands(run);
  return untilItMoves(run, () =>
    toItsEnd(run, async () => {
      await start(run, given, beginning);
      await exchanges(run, () => runSteps(loop(run)));
    }),
  );
}

/** One exchange: `(gate → compact? → think → plan → act)* → finish`. */
function* loop(run: Run): Steps<void> {
  let verdict = firstStep(run.state);
  while (verdict.to !== 'end') {
    switch (verdict.to) {
      case 'gate':
        verdict = byStrategy(run.state, gate(run.state, Date.now()));
        break;
      case 'compact':
        yield compact(run);
        verdict = { to: 'gate' };
        break;
      case 'think': {
        const moving = moveOnIfDue(run);
        if (moving !== undefined) yield moving;
        verdict = yield* think(run, verdict);
        break;
      }
      case 'strategy':
        verdict = yield* until(followPlan(run, verdict.move));
        break;
      case 'plan':
        verdict = plan(run.state, verdict.answer);
        break;
      case 'act':
        verdict = yield* act(run, verdict);
        break;
      case 'resume':
        verdict = yield* resumeCalls(run);
        break;
      case 'finish':
        verdict = yield* until(finish(run, verdict));
        break;
    }
  }
}
