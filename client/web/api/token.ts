const KEY = 'holdfast-token';

/**
 * Takes a token from the fragment of the address, where `holdfast serve` prints it, and removes it from the address bar
 * and the history, so that no screenshot and no copied link contains it.
 */
export function takeTokenFromAddress(): void {
  const found = /^#token=(.+)$/.exec(location.hash);
  if (found?.[1] === undefined) return;
  setToken(decodeURIComponent(found[1]));
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
}

/** Kept for all tabs of this browser, so that a link to a run opens. */
export function token(): string | undefined {
  return localStorage.getItem(KEY) ?? undefined;
}

export function setToken(value: string | undefined): void {
  if (value === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, value);
}
