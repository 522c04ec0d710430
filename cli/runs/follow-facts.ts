import { HoldfastError } from '../../agent/errors/error';
import type { Pending } from '../../agent/protocol/activities';
import type { Fact } from '../../agent/protocol/fact';
import type { StreamDelta } from '../../agent/protocol/stream';
import { visible } from '../../agent/values/visible';
import { orHoldfastError } from '../../client/requests/client-error';
import type { Waiting } from '../inbox/lines';
import { AgentWaits } from '../lines/agent-waits';
import { oneLine } from '../lines/fact-line';
import { inTurns, isDelta } from '../lines/in-turns';
import { WaitHints } from '../lines/waits/wait-hints';

/** Takes the facts and deltas of a run, in order. */
export interface RunView {
  note(event: Fact | StreamDelta): void;
  /** No event follows. */
  end(): void;
}

/** How the facts of a run are shown. */
export interface FollowFacts {
  view: RunView;
  /** Takes warnings and hints. */
  err(line: string): void;
  /** Whether the commands that end the waits are printed. */
  hints: boolean;
  /** Returns the problem when nothing happens, if there is one. */
  diagnose(): Promise<string | undefined>;
  /** Returns what the run and the agents that work for it wait for. */
  waiting(): Promise<readonly Waiting[]>;
  /** Number of the fact before the first event. Default 0. */
  after?: number | undefined;
  /** Milliseconds of silence before `diagnose` is called. Default 2,000. */
  silence?: number | undefined;
  /** Milliseconds of silence before the open waits are reported. Default 300. */
  quiet?: number | undefined;
}

/** Milliseconds of silence before `diagnose` is called. */
const SILENCE = 2000;
/** Maximum characters of a problem: some servers return whole pages. */
const PROBLEM = 700;

/** Shows facts and deltas as they come, until they end. */
export async function followFacts(
  id: string,
  events: AsyncIterable<Fact | StreamDelta>,
  { view, err, hints: wanted, diagnose, waiting, after = 0, silence = SILENCE, quiet }: FollowFacts,
): Promise<void> {
  let said: string | undefined;
  const check = async () => {
    const problem = await diagnose().catch((error: unknown) => unreachable(error, id));
    if (problem !== undefined && problem !== said) err(`!     ${oneLine(visible(problem), PROBLEM)}`);
    said = problem ?? said;
    // Without an answer from a worker, the problem above says why.
    if (wanted) await agents.look().catch(() => undefined);
  };
  const silent = setInterval(check, silence);
  const agents = new AgentWaits(id, waiting, err);
  const hints = new WaitHints(id, (command) => err(`wait  ${command}`), quiet);
  try {
    for await (const event of inTurns(events, after === 0)) {
      silent.refresh();
      said = undefined;
      view.note(event);
      if (!wanted || isDelta(event)) continue;
      hints.note(event);
      agents.note(event);
    }
  } finally {
    clearInterval(silent);
    hints.end();
    view.end();
  }
}

/** That no server answers, if that is why there is no diagnosis. */
function unreachable(error: unknown, id: string): string | undefined {
  const known = orHoldfastError(error, id);
  return known instanceof HoldfastError && known.type === 'NoServer' ? known.message : undefined;
}

/** What waits for people, in one list. */
export function waitingOf({ approvals, questions }: Pick<Pending, 'approvals' | 'questions'>): Waiting[] {
  return [...approvals, ...questions];
}

/** Facts as lines of JSON. */
export function jsonView(print: (line: string) => void): RunView {
  return { note: (event) => print(JSON.stringify(event)), end: () => undefined };
}
