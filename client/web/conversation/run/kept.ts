/** A value that outlives a reload of the tab. */
export interface Kept<T> {
  get(): T | undefined;
  /** `undefined` forgets it. */
  set(value: T | undefined): void;
}

export function kept<T>(name: string): Kept<T> {
  const key = `holdfast-${name}`;
  return {
    get() {
      const text = sessionStorage.getItem(key);
      return text === null ? undefined : (JSON.parse(text) as T);
    },
    set(value) {
      if (value === undefined) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(value));
    },
  };
}
