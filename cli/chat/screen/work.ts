import type { ChatLines } from '../../lines/chat-lines';
import { oneLine } from '../../lines/facts/fact-line';
import { spoken } from '../../show/table';
import { seconds } from '../stream';

/** What the row above the input line is made of. */
interface Watched {
  lines: Pick<ChatLines, 'busy' | 'outage' | 'calls' | 'progress'>;
  /** The time at which the message being sent was submitted. */
  sending: number | undefined;
  /** How many calls and questions wait for a person. */
  waiting: number;
  /** Why nothing happens, as far as it is known. */
  problem: string | undefined;
}

/** The work in progress. `more` gives way where both do not fit. `alone`: only the person can go on with it. */
interface Work {
  what: string;
  more: string;
  alone?: true;
}

/** What the run does, or what it waits for and until when. `undefined` if nothing is in progress. */
export function workOf({ lines, sending, waiting, problem }: Watched, now: number): Work | undefined {
  const { busy } = lines;
  if (busy === undefined) return sending === undefined ? undefined : sendingFor(now - sending, problem);
  if (waiting > 0) return { what: 'it waits for you: /waiting', more: '', alone: true };
  const more = ` · ${seconds(now - busy.since)} · Ctrl-C stops it`;
  if (problem !== undefined) return { what: oneLine(problem), more };
  return outageWork(lines, now, more) ?? { what: callsText(lines), more };
}

/** A note for a slow send: an available worker accepts a message at once. */
function sendingFor(ms: number, problem: string | undefined): Work {
  if (problem !== undefined) return { what: `sending: ${oneLine(problem)}`, more: ` · ${seconds(ms)}` };
  return { what: 'sending', more: ms < 3000 ? '' : ` · ${seconds(ms)} · no worker has taken it yet` };
}

function outageWork({ outage }: Watched['lines'], now: number, more: string): Work | undefined {
  if (outage === undefined) return undefined;
  const { model, nextAt = now } = outage;
  if (nextAt <= now) return { what: `asking ${model} again`, more };
  const left = Math.ceil((nextAt - now) / 1000) * 1000;
  return { what: `next try of ${model} in ${spoken(left)}`, more: ' · /retry asks it now · Ctrl-C stops it' };
}

function callsText({ calls, progress }: Watched['lines']): string {
  if (calls.size === 0) return 'answering';
  return `${[...calls.values()].join(', ')}${progress ? ` ${progress}` : ''}`;
}
