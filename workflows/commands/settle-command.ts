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
  /** A run can use the command only after it has pinned its agent. */
  needsAgent?: true;
  /**
   * Checks the form of what was sent, and nothing else: an update that fails here leaves nothing in history. Returns what
   * settles the command: it changes the run and returns the result, or has a worker check something first.
   * @throws HoldfastError where the form is wrong; what it returns throws one where the command is refused
   */
  read(given: unknown): (run: Run) => unknown;
}

/** Makes a command of its check and of what it does with what was checked. */
export function commandOf<Given>({
  check,
  settle,
  ...about
}: {
  check(given: unknown): Given;
  settle(run: Run, given: Given): unknown;
} & Omit<Command, 'read'>): Command {
  return {
    ...about,
    read(given) {
      const checked = check(given);
      return (run) => settle(run, checked);
    },
  };
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
  const settle = command.read(given);
  return whenReady(run, command, () => {
    const settled = settle(run);
    return settled instanceof Parked ? checkFirst(run, settled) : settled;
  });
}

/**
 * Takes something that was sent to the run, as soon as it can: at once or, if it needs the agent, when that is pinned. In a new
 * history all waits until the run has read again what it had pinned.
 */
export function whenReady(run: Run, { needsAgent }: Pick<Command, 'needsAgent'>, take: () => unknown): unknown {
  const { state, inbox } = run;
  const waits = !isDescribed(state) && (needsAgent === true || state.continued > 0);
  return waits ? inbox.later(take) : take();
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
