import type { Link } from '../link';

export type Handler = NonNullable<Link['onmessage']>;

/**
 * Puts `through` between the messages of a link and the client, which sets its handler when it connects. If there are
 * several, the one added last gets a message first.
 */
export function beforeClient(link: Link, through: (handler: Handler) => Handler): Link {
  const behind = Object.getOwnPropertyDescriptor(link, 'onmessage');
  let own: Handler | undefined;
  return Object.defineProperty(link, 'onmessage', {
    configurable: true,
    get: () => (behind?.get === undefined ? own : behind.get.call(link)),
    set: (given: Handler | undefined) => {
      const handler = given === undefined ? undefined : through(given);
      if (behind?.set === undefined) own = handler;
      else behind.set.call(link, handler);
    },
  });
}
