import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Link } from '../link';
import { Allowance } from './allowance';
import { beforeClient } from './before-client';

/** Reports of progress that a server may send at once: a tool may go through a hundred thousand files. */
const PROGRESS = 150_000;
/** Other messages beside the answers that a server may send at once: news, questions, lines that are no messages. */
const OTHER = 25_000;
/** Of those the ones after which it is read slowly. */
const SLOW = 2000;
/** Messages of either sort that a server may send each second in the long run. */
const A_SECOND = 1000;

/**
 * Gives up a server that sends without an end what nobody asked for, answers to no question included. Each message costs
 * some ten microseconds, and all of them a processor of the worker.
 */
export function fewUnasked(link: Link): Link {
  const progress = new Allowance(PROGRESS, A_SECOND);
  const other = new Allowance(OTHER, A_SECOND);
  let problem: string | undefined;
  const count = (allowance: Allowance) => {
    const left = allowance.take();
    if (allowance === other) link.slow = left < OTHER - SLOW;
    if (left >= 0 || problem !== undefined) return;
    problem = `it sent more than ${allowance.atOnce} messages that nobody asked for`;
    void link.close();
  };

  const onProblem = link.onProblem?.bind(link);
  // What is no message at all, or answers no question, comes as an error.
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
    // Of a server that is given up nothing more is worked through.
    if (problem === undefined) handler(message, ...rest);
  });
}

function isUnasked(message: JSONRPCMessage): message is Extract<JSONRPCMessage, { method: string }> {
  return 'method' in message;
}
