import { CancellationScope, CancelledFailure } from '@temporalio/workflow';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { isJsonObject } from '../../agent/values/json';
import { isConversation } from '../state/selectors/mode';
import { compact } from '../turn/compact';
import { publish } from '../view/visibility';
import { type Expiry, wait } from '../waits/wait';
import { moveOnIfDue } from './carry/move-on';
import { endingOf } from './failures';
import { beforeDeadline } from './limits/watch-deadline';
import type { Run } from './run';

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
  if (run.state.idleSince === undefined) run.apply({ type: 'idling', since: Date.now() });
  const called = () => run.state.inbox.length > 0 || run.state.closing !== undefined;
  const asked = () => run.state.compaction?.asked !== undefined;
  await moveOnIfDue(run);
  do {
    const inTime = await wait(run, () => called() || asked(), idleExpiry(run.state));
    if (!called() && asked()) await compact(run);
    else if (!inTime && !called()) run.apply({ type: 'closing', why: 'idle' });
  } while (!called());
  if (run.state.inbox.length === 0) return false;
  run.apply({ type: 'exchangeBegun', at: Date.now() });
  publish(run);
  return true;
}

/** The time without a message after which a conversation ends, counted over all histories in which it waits. */
function idleExpiry({ manifest, idleSince = Date.now() }: AgentState): Expiry | undefined {
  if (manifest?.idle === undefined) return undefined;
  return { ms: idleSince + manifest.idle - Date.now(), summary: 'no message came: the conversation ends' };
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
      return await scope.run(() => beforeDeadline(run, () => loop(run)));
    } catch (error) {
      const { interruption } = run;
      const goesOn = interruption !== undefined && interruption.why !== 'interrupted';
      if (!goesOn || CancellationScope.current().consideredCancelled) throw error;
      run.interruption = undefined;
    } finally {
      run.scope = undefined;
    }
  }
}

/** Ends the loop if its exchange was interrupted. */
export function throwIfBroken(run: Run): void {
  const broken = brokenOff(run);
  if (broken !== undefined) throw broken;
}

/** The error that ends the loop of an interrupted exchange; `undefined` where it goes on. */
export function brokenOff({ interruption }: Run): CancelledFailure | undefined {
  return interruption && new CancelledFailure(`the exchange was ${interruption.why}`);
}
