/** What the page shows. */
export type Route =
  | { view: 'home' }
  | { view: 'new'; agent: string }
  | { view: 'run'; id: string }
  | { view: 'timeline'; id: string }
  | { view: 'inbox' };

export function routeOf(path: string): Route {
  const [first, second, third] = path.split('/').slice(1).map(decoded);
  if (first === 'inbox') return { view: 'inbox' };
  if (first === 'new' && second) return { view: 'new', agent: second };
  if (first === 'runs' && second) return { view: third === 'timeline' ? 'timeline' : 'run', id: second };
  return { view: 'home' };
}

export function pathOf(route: Route): string {
  switch (route.view) {
    case 'home':
      return '/';
    case 'inbox':
      return '/inbox';
    case 'new':
      return `/new/${encodeURIComponent(route.agent)}`;
    case 'run':
      return `/runs/${encodeURIComponent(route.id)}`;
    case 'timeline':
      return `/runs/${encodeURIComponent(route.id)}/timeline`;
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
