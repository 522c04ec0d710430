import type { RunResult } from '../agent/protocol/run';
import { act } from './calls/act';
import { takeCommands } from './commands/take-commands';
import { toItsEnd } from './run/end-run';
import { exchanges } from './run/exchanges';
import { init } from './run/init';
import { openRun, type Run } from './run/run';
import { start } from './run/start';
import { finish } from './turn/finish';
import { plan } from './turn/plan';
import { gate } from './turn/quota-gate';
import { think } from './turn/think';
import type { Verdict } from './turn/verdict';
import { answerQueries } from './view/queries';

/** A run of any agent: `init → exchange*`. A task has one exchange. */
export function agentWorkflow(given: unknown): Promise<RunResult> {
  const run = openRun();
  answerQueries(run);
  takeCommands(run);
  return toItsEnd(run, async () => {
    start(run, given);
    await init(run);
    await exchanges(run, loop);
  });
}

/** One exchange: `(gate → think → plan → act)* → finish`. */
async function loop(run: Run): Promise<void> {
  let verdict: Verdict = { to: 'gate' };
  while (verdict.to !== 'end') {
    switch (verdict.to) {
      case 'gate':
        verdict = gate(run.state);
        break;
      case 'think':
        verdict = await think(run, verdict.conclude);
        break;
      case 'plan':
        verdict = plan(run.state, verdict.answer);
        break;
      case 'act':
        verdict = await act(run, verdict);
        break;
      case 'finish':
        verdict = await finish(run, verdict.answer);
        break;
    }
  }
}
