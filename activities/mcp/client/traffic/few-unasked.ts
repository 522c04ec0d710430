import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Link } from '../link';
import { beforeClient } from './before-client';

/** Messages beside the answers that a server may send at once, and that it may send each second in the long run. */
const AT_ONCE = 150_000;
const A_SECOND = 1000;

/**
 * Gives up a server that sends without an end what nobody asked for: progress, news, questions, answers to no question,
 * and lines that are no messages. Each costs a few microseconds, and all of them a processor of the worker.
 */
export function fewUnasked(link: Link): Link {
  let allowed = AT_ONCE;
  let last = performance.now();
  let problem: string | undefined;
  const count = () => {
    const now = performance.now();
    allowed = Math.min(AT_ONCE, allowed + ((now - last) * A_SECOND) / 1000) - 1;
    last = now;
    if (allowed >= 0 || problem !== undefined) return;
    problem = `it sent more than ${AT_ONCE} messages that nobody asked for`;
    void link.close();
  };

  const onProblem = link.onProblem?.bind(link);
  // What is no message at all, or answers no question, comes as an error.
  link.onProblem = (error) => {
    onProblem?.(error);
    count();
  };
  const explain = link.explain.bind(link);
  link.explain = async (error) => {
    const explained = await explain(error);
    return problem === undefined || explained.fate === 'unreadable' ? explained : { ...explained, problem };
  };
  return beforeClient(link, (handler) => (message, ...rest) => {
    if (isUnasked(message)) count();
    // Of a server that is given up nothing more is worked through.
    if (problem === undefined) handler(message, ...rest);
  });
}

function isUnasked(message: JSONRPCMessage): boolean {
  return 'method' in message;
}
