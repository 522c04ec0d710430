import { isJSONRPCNotification, isJSONRPCRequest } from '@modelcontextprotocol/client';
import type { Link } from '../link';
import { Allowance } from './allowance';

/** Answers to a server's requests that are sent at once: each is a request over HTTP, with a socket of its own. */
const AT_ONCE = 16;
/** Answers that it gets in a row, and per second in the long run: each costs the worker a third of a millisecond. */
const IN_A_ROW = 1000;
const A_SECOND = 100;

/** A server that asks for more at once than any client needs gets only some of the answers. */
export function fewAnswers(link: Link): Link {
  const send = link.send.bind(link);
  const allowance = new Allowance(IN_A_ROW, A_SECOND);
  let sending = 0;
  link.send = async (message, options) => {
    if (isJSONRPCRequest(message) || isJSONRPCNotification(message)) return send(message, options);
    if (sending >= AT_ONCE || allowance.take() < 0) return;
    sending++;
    try {
      await send(message, options);
    } finally {
      sending--;
    }
  };
  return link;
}
