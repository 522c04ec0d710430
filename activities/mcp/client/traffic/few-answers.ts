import { isJSONRPCNotification, isJSONRPCRequest } from '@modelcontextprotocol/client';
import type { Link } from '../link';

/** Answers to what a server asks that are on their way at once: each is a request over HTTP, with a socket of its own. */
const AT_ONCE = 16;

/** Answers a server that asks for more at once than anybody needs only a part of it. */
export function fewAnswers(link: Link): Link {
  const send = link.send.bind(link);
  let sending = 0;
  link.send = async (message, options) => {
    if (isJSONRPCRequest(message) || isJSONRPCNotification(message)) return send(message, options);
    if (sending >= AT_ONCE) return;
    sending++;
    try {
      await send(message, options);
    } finally {
      sending--;
    }
  };
  return link;
}
