import { rootCause, TemporalFailure } from '@temporalio/common';
import { jsonBytes } from '../../agent/values/json';
import type { Run } from '../run/run';
import { runShort } from '../run/scheduling/patient-activity';
import { isDescribed } from '../state/selectors/phase';
import { beside } from '../waits/wait';

/** A request to a run, by an update, which is answered, or by a signal, which is not. */
export interface Command {
  /** What the Web UI shows beside the name. */
  says: string;
  /** Checks only the form: an update that fails here leaves nothing in history. */
  check(given: unknown): unknown;
  /**
   * A run can use the command only after it has pinned its agent: until then the command waits. In a new history all
   * commands wait until the run has read again what it had pinned.
   */
  needsAgent?: true;
  /**
   * Changes the run and returns the result of the command, or has a worker check something first.
   * @throws HoldfastError where it is refused
   */
  settle(run: Run, given: unknown): unknown;
}

/** The verdict of a worker on something that a person sent. */
type Checked<Verdict> = Verdict | { ok: false; problem: string };

/**
 * A command that a worker checks before it is settled with the state of the run at that time. Others may overtake it.
 */
export class Parked<Verdict> {
  constructor(
    readonly check: { activity: string; input: unknown; summary: string },
    readonly settle: (verdict: Checked<Verdict>) => unknown,
  ) {}
}

/**
 * The one place where commands are settled, in the order in which they arrive.
 * @throws HoldfastError where the command is refused at once
 */
export function settleCommand(run: Run, command: Command, given: unknown): unknown {
  if (isDescribed(run.state) || (command.needsAgent !== true && !run.state.continued))
    return settleNow(run, command, given);
  // The form of a signal is first checked here: a malformed one need not wait.
  command.check(given);
  return run.inbox.later(() => settleNow(run, command, given));
}

function settleNow(run: Run, command: Command, given: unknown): unknown {
  const settled = command.settle(run, given);
  return settled instanceof Parked ? checkFirst(run, settled) : settled;
}

/** Leaves a marker after the check: a replay must find a refused signal refused before what comes next, too. */
async function checkFirst<Verdict>(run: Run, parked: Parked<Verdict>): Promise<unknown> {
  return parked.settle(await beside(run, () => checked(run, parked)));
}

async function checked<Verdict>(run: Run, { check }: Parked<Verdict>): Promise<Checked<Verdict>> {
  const { activity, input, summary } = check;
  try {
    const room = run.bytes.spend(jsonBytes(input));
    if (room !== undefined) await room;
    return await runShort<Verdict>(activity, input, summary);
  } catch (error) {
    // Thrown in a signal handler, it would end the whole run at once, and after a cancel without the run's own ending.
    if (!(error instanceof TemporalFailure)) throw error;
    return { ok: false, problem: `it could not be checked, ${rootCause(error) ?? error.message}` };
  }
}
