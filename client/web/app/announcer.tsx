import { createStore, useStore } from '../api/store';

const said = createStore<{ text: string; count: number }>({ text: '', count: 0 });

/** Has a screen reader say a text. */
export function announce(text: string): void {
  said.set({ text, count: said.get().count + 1 });
}

/** The live region of the page. Two elements take turns, so that an equal text is said again. */
export function Announcer() {
  const { text, count } = useStore(said);
  return (
    <div className="unseen">
      <p role="status" aria-live="polite">
        {count % 2 === 0 ? text : ''}
      </p>
      <p role="status" aria-live="polite">
        {count % 2 === 1 ? text : ''}
      </p>
    </div>
  );
}
