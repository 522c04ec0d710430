import { useEffect } from 'react';
import { createStore, useStore } from '../api/store';

const KEY = 'holdfast-theme';
const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const theme = createStore<Theme>(THEMES.find((one) => one === localStorage.getItem(KEY)) ?? 'system');

// The colors are right from the first picture on, also where the switch is not shown.
document.documentElement.dataset.theme = theme.get();

/** The switch between light, dark, and what the system says. */
export function ThemeSwitch() {
  const chosen = useStore(theme);
  useEffect(() => {
    document.documentElement.dataset.theme = chosen;
    localStorage.setItem(KEY, chosen);
  }, [chosen]);
  return (
    <label className="theme">
      <span className="hint">Colors</span>
      <select value={chosen} onChange={(event) => theme.set(event.target.value as Theme)}>
        {THEMES.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}
