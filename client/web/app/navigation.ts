import { useMemo, useSyncExternalStore } from 'react';
import { pathOf, type Route, routeOf } from './routes';

const MOVED = 'holdfast-moved';

export function go(route: Route, how: 'push' | 'replace' = 'push'): void {
  const path = pathOf(route);
  if (path === location.pathname) return;
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', path);
  dispatchEvent(new Event(MOVED));
}

export function useRoute(): Route {
  const path = useSyncExternalStore(subscribe, () => location.pathname);
  return useMemo(() => routeOf(path), [path]);
}

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener);
  addEventListener(MOVED, listener);
  return () => {
    removeEventListener('popstate', listener);
    removeEventListener(MOVED, listener);
  };
}
