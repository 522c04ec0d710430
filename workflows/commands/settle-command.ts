import { rootCause, TemporalFailure } from '@temporalio/common';
import { jsonBytes } from '../../agent/values/json';
import type { Run } from '../run/run';
import { runShort } from '../run/scheduling/patient-activity';
import { isDescribed } from '../state/selectors/phase';
import { beside } from '../waits/wait';

/** Something that a run can be told, by an update that is answered or by a signal that is not. */
export interface Command {
  /** What the Web UI shows beside the name. */
  says: string;
  /** Looks at the form alone: an update that fails here leaves nothing in history. */
  check(given: unknown): unknown;
  /** Means nothing to a run before that has pinned its agent: until then the command waits. */
  needsAgent?: true;
  /**
   * Changes the run and says what became of the command; or has a worker check something first.
   * @throws HoldfastError where it is refused
   */
  settle(run: Run, given: unknown): unknown;
}

/** What a worker says of something that a person sent. */
type Checked<Verdict> = Verdict | { ok: false; problem: string };

/** A command that a worker has to check before it is settled, with the run as it stands then. Others pass it meanwhile. */
export class Parked<Verdict> {
  constructor(
    readonly check: { activity: string; input: unknown; summary: string },
    readonly settle: (verdict: Checked<Verdict>) => unknown,
  ) {}
}

/**
 * The one place where commands are settled, in the order in which they come.
 * @throws HoldfastError where it is refused at once
 */
export function settleCommand(run: Run, command: Command, given: unknown): unknown {
  if (command.needsAgent !== true || isDescribed(run.state)) return settleNow(run, command, given);
  // Of a signal the form is looked at here first: what is malformed need not wait.
  command.check(given);
  return run.inbox.later(() => settleNow(run, command, given));
}

function settleNow(run: Run, command: Command, given: unknown): unknown {
  const settled = command.settle(run, given);
  return settled instanceof Parked ? checkFirst(run, settled) : settled;
}

/** Where a signal is refused after the check nothing else tells that: what comes next is to find it refused on a replay too. */
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
    // Thrown on, it would end the whole run where the message came by signal: that of a cancel past its own ending.
    if (!(error instanceof TemporalFailure)) throw error;
    return { ok: false, problem: `it could not be checked, ${rootCause(error) ?? error.message}` };
  }
}
