import { isJSONRPCNotification, type JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Link } from '../link';
import { beforeClient, type Handler } from './before-client';

/**
 * Milliseconds between two progress reports of a call: people see no more, and each costs the worker a tenth of one.
 */
const PAUSE = 50;

type Rest = Parameters<Handler> extends [unknown, ...infer R] ? R : never;

/**
 * Passes on only as much of a server's progress as people can see: of the reports of one call that come close together,
 * the newest. A report that is held back goes out before the next message of another kind, such as the answer.
 */
export function latestProgress(link: Link): Link {
  return beforeClient(link, (handler) => newestOf(link, handler));
}

function newestOf(link: Link, handler: Handler): Handler {
  const waiting = new Map<unknown, [JSONRPCMessage, ...Rest]>();
  let timer: NodeJS.Timeout | undefined;
  const pass = () => {
    const all = [...waiting.values()];
    waiting.clear();
    for (const each of all) handler(...(each as Parameters<Handler>));
    return all.length > 0;
  };
  const pause = () => {
    timer = setTimeout(() => {
      timer = undefined;
      if (pass()) pause();
    }, PAUSE);
    timer.unref();
  };
  /** Messages that follow reports which were just passed on, in order. */
  let behind: Promise<void> | undefined;
  const follow = (give: () => void) => {
    // The client handles a notification a moment later, and an answer at once: progress after its answer would be lost.
    const last = (behind ?? Promise.resolve().then(() => {}))
      .then(give)
      .catch((error: Error) => link.onerror?.(error))
      .finally(() => {
        if (behind === last) behind = undefined;
      });
    behind = last;
  };
  return (message, ...rest) => {
    const token = tokenOf(message);
    if (token === undefined) {
      if (pass() || behind !== undefined) follow(() => handler(message, ...rest));
      else handler(message, ...rest);
      return;
    }
    waiting.set(token, [message, ...rest] as [JSONRPCMessage, ...Rest]);
    if (timer !== undefined) return;
    pass();
    pause();
  };
}

function tokenOf(message: JSONRPCMessage): unknown {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/progress') return undefined;
  return message.params?.progressToken;
}
