import type { Fact } from '../../agent/protocol/facts/fact';
import type { Pending } from '../../agent/protocol/queries';
import type { StreamDelta } from '../../agent/protocol/stream';
import { isOutageText, type OutageTold, outageOfFact, tellsOf } from '../../agent/state/outage-text';
import { visible } from '../../agent/values/visible';
import type { Waiting } from '../inbox/lines';
import { AgentWaits } from '../lines/agent-waits';
import { oneLine, PROBLEM_WIDTH } from '../lines/facts/fact-line';
import { isDelta } from '../lines/stream/is-delta';
import { WaitHints } from '../lines/waits/wait-hints';
import { withPrintedCommands } from '../terminal/printed-command';
import { Absence } from './absence';

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
  /** What Ctrl-C does to the run, such as `cancels the run`. */
  ctrlC: string;
  /** Returns the problem when nothing happens, if there is one. */
  diagnose(): Promise<string | undefined>;
  /** Returns what the run and the agents that work for it wait for. */
  waiting(): Promise<readonly Waiting[]>;
  /** Milliseconds of silence before `diagnose` is called. Default 2,000. */
  silence?: number | undefined;
  /** Milliseconds without a server after which it throws. Default 60,000: the run goes on when the server is back. */
  absence?: number | undefined;
  /** Milliseconds of silence before the open waits are reported. Default 300. */
  quiet?: number | undefined;
}

/** Milliseconds of silence before `diagnose` is called. */
const SILENCE = 2000;

/**
 * Shows facts and deltas as they come, until they end.
 * @throws HoldfastError `NoServer` if none answers for a minute
 */
export async function followFacts(
  id: string,
  read: (signal: AbortSignal) => AsyncIterable<Fact | StreamDelta>,
  options: FollowFacts,
): Promise<void> {
  const { view, err, hints: wanted, ctrlC, diagnose, waiting, quiet } = options;
  const { silence = SILENCE, absence: longest } = options;
  let said: string | undefined;
  let outage: OutageTold | undefined;
  /** The last look has found that the model of the run is away. */
  let wasAway = false;
  const absence = new Absence(longest);
  let looks = 0;
  let newest = 0;
  const check = async () => {
    const look = ++looks;
    let problem = await diagnose().then(
      (found) => {
        absence.end();
        return found;
      },
      (error: unknown) => absence.note(error, id),
    );
    // A look that took long may end after a later one: what it found is the past.
    if (look < newest) return;
    newest = look;
    const isAway = problem !== undefined && isOutageText(problem);
    // The fact that tells it may be on its way.
    const isEarly = isAway && !wasAway;
    wasAway = isAway;
    if (isEarly) problem = undefined;
    if (problem !== undefined && problem !== said && !tellsOf(problem, outage))
      err(`!     ${oneLine(withPrintedCommands(visible(problem)), PROBLEM_WIDTH)}`);
    said = problem ?? said;
    // Without an answer from a worker, the problem above says why.
    if (wanted) await agents.look().catch(() => undefined);
  };
  const silent = setInterval(check, silence);
  const agents = new AgentWaits(id, waiting, err);
  const hints = new WaitHints({ run: id, say: err, ctrlC, quiet });
  try {
    for await (const event of read(absence.signal)) {
      silent.refresh();
      absence.end();
      // Pieces of an answer, and what people do meanwhile, leave the attempt that was reported what it is.
      if ('turn' in event && !isDelta(event)) said = undefined;
      view.note(event);
      if (event.type === 'model.waiting') outage = outageOfFact(event);
      if (!wanted || isDelta(event)) continue;
      hints.note(event);
      agents.note(event);
    }
  } finally {
    clearInterval(silent);
    hints.end();
    view.end();
  }
  if (absence.error !== undefined) throw absence.error;
}

/** What waits for people, in one list. */
export function waitingOf({ approvals, questions }: Pick<Pending, 'approvals' | 'questions'>): Waiting[] {
  return [...approvals, ...questions];
}

/** Facts as lines of JSON. */
export function jsonView(print: (line: string) => void): RunView {
  return { note: (event) => print(JSON.stringify(event)), end: () => undefined };
}
