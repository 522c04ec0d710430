import type { RunResult } from '../agent/protocol/run';
import { act, resumeCalls } from './calls/act';
import { takeCommands } from './commands/take-commands';
import { moveOnIfDue, untilItMoves } from './run/carry/move-on';
import { toItsEnd } from './run/end-run';
import { exchanges } from './run/exchanges';
import { openRun, type Run } from './run/run';
import { start } from './run/start';
import { byStrategy, followPlan } from './strategy/follow-plan';
import { compact } from './turn/compact';
import { finish } from './turn/finish';
import { plan } from './turn/plan';
import { gate } from './turn/quota-gate';
import { think } from './turn/think';
import type { Verdict } from './turn/verdict';
import { answerQueries } from './view/queries';

/** A run of any agent: `init → exchange*`, in one history or in several. A task has one exchange. */
export function agentWorkflow(given: unknown): Promise<RunResult> {
  const { run, beginning } = openRun(given);
  answerQueries(run);
  takeCommands(run);
  return untilItMoves(run, () =>
    toItsEnd(run, async () => {
      await start(run, given, beginning);
      await exchanges(run, loop);
    }),
  );
}

/** One exchange: `(gate → compact? → think → plan → act)* → finish`. */
async function loop(run: Run): Promise<void> {
  let verdict: Verdict = run.state.batch.length > 0 ? { to: 'resume' } : { to: 'gate' };
  while (verdict.to !== 'end') {
    switch (verdict.to) {
      case 'gate':
        verdict = byStrategy(run.state, gate(run.state, Date.now()));
        break;
      case 'compact':
        await compact(run);
        verdict = { to: 'gate' };
        break;
      case 'think': {
        const moving = moveOnIfDue(run);
        if (moving !== undefined) await moving;
        verdict = await think(run, verdict.conclude);
        break;
      }
      case 'strategy':
        verdict = await followPlan(run, verdict.move);
        break;
      case 'plan':
        verdict = plan(run.state, verdict.answer);
        break;
      case 'act':
        verdict = await act(run, verdict);
        break;
      case 'resume':
        verdict = await resumeCalls(run);
        break;
      case 'finish':
        verdict = await finish(run, verdict);
        break;
    }
  }
}
