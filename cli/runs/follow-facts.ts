import type { Fact } from '../../agent/protocol/fact';
import type { StreamDelta } from '../../agent/protocol/stream';
import { visible } from '../../agent/values/visible';
import { DeltaLines } from '../lines/delta-lines';
import { factLine, oneLine } from '../lines/fact-line';
import { WaitHints } from '../lines/wait-hints';

/** How the facts of a run are shown. */
export interface FollowFacts {
  /** Takes facts as lines of JSON, if these are wanted instead of lines for people. */
  json: ((line: string) => void) | undefined;
  /** Takes lines of facts and deltas for people. */
  say(line: string): void;
  /** Takes warnings and hints. */
  err(line: string): void;
  /** Returns the problem when nothing happens, if there is one. */
  diagnose(): Promise<string | undefined>;
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
  { json, say, err, diagnose, silence = SILENCE, quiet }: FollowFacts,
): Promise<void> {
  let said: string | undefined;
  const check = async () => {
    const problem = await diagnose().catch(() => undefined);
    if (problem !== undefined && problem !== said) err(`!     ${oneLine(visible(problem), PROBLEM)}`);
    said = problem ?? said;
  };
  const silent = setInterval(check, silence);
  const hints = new WaitHints(id, (command) => err(`wait  ${command}`), quiet);
  const deltas = new DeltaLines((kind, line) => say(visible(`      ${kind.padEnd(15)} ${line}`).trimEnd()));
  try {
    for await (const event of events) {
      silent.refresh();
      said = undefined;
      if (json !== undefined) json(JSON.stringify(event));
      else if (isDelta(event)) deltas.note(event);
      else {
        deltas.flush();
        say(factLine(event));
        hints.note(event);
      }
    }
  } finally {
    clearInterval(silent);
    hints.end();
  }
}

function isDelta(event: Fact | StreamDelta): event is StreamDelta {
  return 'callId' in event;
}
