import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Link } from '../link';
import { Allowance } from './allowance';
import { beforeClient } from './before-client';

/** Progress reports that a server may send at once: a tool may go through a hundred thousand files. */
const PROGRESS = 150_000;
/** Other messages beside the answers that a server may send at once: notifications, requests, invalid lines. */
const OTHER = 25_000;
/** After this many of them it is read slowly. */
const SLOW = 2000;
/** Messages of either kind that a server may send per second in the long run. */
const A_SECOND = 1000;

/**
 * Gives up on a server that sends unsolicited messages without end, including answers to no request. Each message costs
 * some ten microseconds, and together they cost the worker a whole processor.
 */
export function fewUnasked(link: Link): Link {
  // The time in which its messages wait is ours: on a busy machine it would refill what the messages take.
  const clock = () => link.idle?.ms ?? performance.now();
  const progress = new Allowance(PROGRESS, A_SECOND, clock);
  const other = new Allowance(OTHER, A_SECOND, clock);
  let problem: string | undefined;
  const count = (allowance: Allowance) => {
    const left = allowance.take();
    if (allowance === other) link.slow = left < OTHER - SLOW;
    if (left >= 0 || problem !== undefined) return;
    problem = `it sent more than ${allowance.atOnce} unsolicited messages`;
    void link.close();
  };

  const onProblem = link.onProblem?.bind(link);
  // A line that is not a message, or that answers no request, comes as an error.
  link.onProblem = (error) => {
    onProblem?.(error);
    count(other);
  };
  const explain = link.explain.bind(link);
  link.explain = async (error) => {
    const explained = await explain(error);
    return problem === undefined || explained.fate === 'unreadable' ? explained : { ...explained, problem };
  };
  return beforeClient(link, (handler) => (message, ...rest) => {
    if (isUnasked(message)) count(message.method === 'notifications/progress' ? progress : other);
    // No further messages of a server that was given up on are processed.
    if (problem === undefined) handler(message, ...rest);
  });
}

function isUnasked(message: JSONRPCMessage): message is Extract<JSONRPCMessage, { method: string }> {
  return 'method' in message;
}
