import { CancellationScope, CancelledFailure } from '@temporalio/workflow';
import { defined } from '../../agent/values/defined';
import { isJsonObject } from '../../agent/values/json';
import { isConversation } from '../state/selectors/mode';
import { publish } from '../view/visibility';
import { wait } from '../waits/wait';
import { endingOf } from './failures';
import type { Interruption, Run } from './run';

/**
 * Works on one message after the other until the conversation ends. A task has one exchange, which is the whole run.
 */
export async function exchanges(run: Run, loop: (run: Run) => Promise<void>): Promise<void> {
  if (!isConversation(run.state)) return steerable(run, loop);
  // Lists of runs show it from now on.
  publish(run);
  while (await nextExchange(run)) {
    await answered(run, loop);
    run.interruption = undefined;
  }
}

/** Waits for a message. False when no more messages will come. */
async function nextExchange(run: Run): Promise<boolean> {
  // The input of a conversation may be its first message.
  if (run.state.phase.at !== 'idle') return true;
  const idle = run.state.manifest?.idle;
  const called = () => run.state.inbox.length > 0 || run.state.closing !== undefined;
  const expiry = idle === undefined ? undefined : { ms: idle, summary: 'no message came: the conversation ends' };
  if (!(await wait(run, called, expiry)) && !called()) run.apply({ type: 'closing', why: 'idle' });
  if (run.state.inbox.length === 0) return false;
  run.apply({ type: 'exchangeBegun' });
  publish(run);
  return true;
}

/** Runs one exchange. A failure in it ends the exchange, never the conversation. */
async function answered(run: Run, loop: (run: Run) => Promise<void>): Promise<void> {
  try {
    await steerable(run, loop);
  } catch (error) {
    if (CancellationScope.current().consideredCancelled) {
      run.apply({ type: 'exchangeEnded', reason: 'cancelled' });
      throw error;
    }
    const { interruption, state } = run;
    if (interruption?.why === 'interrupted') {
      const { by } = interruption;
      run.apply({ type: 'exchangeEnded', reason: 'interrupted', ...defined({ by }) });
      return;
    }
    const { type, message, details } = endingOf(error, state.id);
    const data = isJsonObject(details?.[0]) ? details[0] : undefined;
    const failure = { type: type ?? 'RunFailed', message, ...defined({ data }) };
    run.apply({ type: 'exchangeEnded', reason: 'failed', error: failure });
  }
}

/** Runs the loop in a separate scope. A loop that was interrupted for a message continues in a new scope. */
async function steerable(run: Run, loop: (run: Run) => Promise<void>): Promise<void> {
  for (;;) {
    const scope = new CancellationScope();
    run.scope = scope;
    // The interruption may have been requested before the scope existed.
    if (run.interruption !== undefined) scope.cancel();
    try {
      return await scope.run(() => loop(run));
    } catch (error) {
      if (interruptionOf(run)?.why !== 'steered' || CancellationScope.current().consideredCancelled) throw error;
      run.interruption = undefined;
    } finally {
      run.scope = undefined;
    }
  }
}

/** Reads it again: it changes while the loop waits. */
function interruptionOf({ interruption }: Run): Interruption | undefined {
  return interruption;
}

/** Ends the loop if its exchange was interrupted. */
export function throwIfBroken(run: Run): void {
  if (run.interruption !== undefined) throw new CancelledFailure(`the exchange was ${run.interruption.why}`);
}
