import { HoldfastError } from '../agent/errors/error';
import { checkRunInput } from '../agent/protocol/check-run-input';
import type { RunInput, RunResult } from '../agent/protocol/run';
import { Unreadable } from '../agent/values/unreadable';
import { act } from './calls/act';
import { isConversation } from './commands/conversation';
import { takeCommands } from './commands/take-commands';
import { undoSettled } from './commands/undo';
import { reply, replyFailure } from './run/answer-caller';
import { endRun } from './run/end-run';
import { exchanges } from './run/exchanges';
import { init } from './run/init';
import { lineageInMemo, refuseCycle } from './run/lineage';
import { openRun, type Run } from './run/run';
import { finish, quotaExhausted } from './turn/finish';
import { gate } from './turn/quota-gate';
import { think } from './turn/think';
import { answerQueries } from './view/queries';
import { publishEnd } from './view/visibility';

/** A run of any agent: `init → exchange*`, in a task one, each `(gate → think → act | finish)*`. */
export async function agentWorkflow(given: unknown): Promise<RunResult> {
  const run = openRun();
  answerQueries(run);
  takeCommands(run);
  try {
    run.apply({ type: 'started', given: startOf(run.state.agent, given), ...lineageInMemo() });
    refuseCycle(run.state);
    await init(run);
    await exchanges(run, loop);
    await undoSettled(run);
    return await reply(run, resultOf(run));
  } catch (error) {
    const end = endRun(run, error);
    await undoSettled(run);
    await replyFailure(run);
    throw end;
  } finally {
    run.over = true;
    publishEnd(run);
  }
}

/** @throws HoldfastError `InvalidInput` */
function startOf(agent: string, given: unknown): RunInput {
  if (given instanceof Unreadable) {
    throw new HoldfastError('InvalidInput', { agent, problem: `Its payload cannot be read: ${given.problem}` });
  }
  return checkRunInput(agent, given);
}

async function loop(run: Run): Promise<void> {
  for (;;) {
    const pass = gate(run.state);
    if (pass === 'exhausted') throw quotaExhausted(run);
    const answer = await think(run, pass === 'conclude');
    if (answer === undefined) return;
    const done = answer.toolRequests.length > 0 && pass === 'call' ? await act(run, answer) : await finish(run, answer);
    if (done) return;
  }
}

function resultOf({ state }: Run): RunResult {
  const { end, usage, executionUnits, exchange } = state;
  const exchanges = isConversation(state) ? { exchanges: exchange } : {};
  return { data: end?.data ?? null, usage, executionUnits, ...exchanges };
}
