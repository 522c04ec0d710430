import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Link } from '../link';
import { beforeClient } from './before-client';

/** Reports of progress that a server may send at once: a tool may go through a hundred thousand files. */
const PROGRESS = 150_000;
/** Other messages beside the answers that a server may send at once: news, questions, lines that are no messages. */
const OTHER = 30_000;
/** Of those the ones after which it is read slowly. */
const SLOW = 10_000;
/** Messages of either sort that a server may send each second in the long run. */
const A_SECOND = 1000;

/**
 * Gives up a server that sends without an end what nobody asked for, answers to no question included. Each message costs
 * some ten microseconds, and all of them a processor of the worker.
 */
export function fewUnasked(link: Link): Link {
  const progress = new Allowance(PROGRESS);
  const other = new Allowance(OTHER);
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

/** So many at once, and each second some more. */
class Allowance {
  #left: number;
  #last = performance.now();

  constructor(readonly atOnce: number) {
    this.#left = atOnce;
  }

  /** What is left after one more; below zero it was one too many. */
  take(): number {
    const now = performance.now();
    this.#left = Math.min(this.atOnce, this.#left + ((now - this.#last) * A_SECOND) / 1000) - 1;
    this.#last = now;
    return this.#left;
  }
}

function isUnasked(message: JSONRPCMessage): message is Extract<JSONRPCMessage, { method: string }> {
  return 'method' in message;
}
