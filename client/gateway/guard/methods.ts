import { TrieRouter } from 'hono/router/trie-router';
import { RequestRefused } from '../failure';

interface Route {
  method: string;
  path: string;
}

/** Why there is nothing for a request: nothing is at its address, or nothing that takes its method. */
export function nothingFor(routes: readonly Route[]): (method: string, path: string) => RequestRefused {
  const methods = new TrieRouter<string>();
  // Guards have no method of their own, and the page is at every address that nothing else has.
  for (const { method, path } of routes) if (method !== 'ALL' && path !== '/*') methods.add('ALL', path, method);
  return (method, path) => {
    const taken = new Set(methods.match('ALL', path)[0].map(([one]) => one));
    if (taken.has('GET')) taken.add('HEAD');
    if (taken.size === 0) {
      const message = 'There is nothing at this address. `/openapi.json` lists what there is.';
      return new RequestRefused(404, 'NotFound', message);
    }
    const allow = [...taken].sort().join(', ');
    return new RequestRefused(405, 'MethodNotAllowed', `This address takes ${allow}, not ${method}.`, { allow });
  };
}
