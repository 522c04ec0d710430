import { createStore } from '../api/store';

/** On a narrow screen the list of runs is over the view, and open or not. */
export const sidebarOpen = createStore(false);

/** Opens the list of runs on a narrow screen. */
export function MenuButton() {
  return (
    <button type="button" className="quiet narrow-only" aria-label="Show runs" onClick={() => sidebarOpen.set(true)}>
      ☰
    </button>
  );
}
