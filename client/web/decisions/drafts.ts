import { useCallback, useRef, useState } from 'react';

/** What people have begun to type, by what it is for. It survives a card that is drawn again, and a look elsewhere. */
const drafts = new Map<string, unknown>();

/** State of a component that outlives it, until `forget`. A component that shows another key has another key in React. */
export function useDraft<T>(key: string, initial: () => T): [T, (change: Partial<T>) => void, () => void] {
  const first = useRef(initial);
  const [value, setValue] = useState<T>(() => (drafts.has(key) ? (drafts.get(key) as T) : first.current()));
  const change = useCallback(
    (part: Partial<T>) =>
      setValue((old) => {
        const next = { ...old, ...part };
        drafts.set(key, next);
        return next;
      }),
    [key],
  );
  const forget = useCallback(() => {
    drafts.delete(key);
    setValue(first.current());
  }, [key]);
  return [value, change, forget];
}
