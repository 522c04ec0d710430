import { useEffect } from 'react';
import { createStore, useStore } from './store';

/** How often the page has seen that something changed in a run. */
const news = createStore(0);

/** Milliseconds after a change at which a list of runs is fetched: Temporal's index of runs is a second behind them. */
const AFTER = [200, 1200];

/** Something has changed in a run: lists of runs show it soon, and not only at their next look. */
export function noteNews(): void {
  news.set(news.get() + 1);
}

/** Calls `refresh` soon after each change, once for changes that follow each other quickly. */
export function useNews(refresh: () => void): void {
  const count = useStore(news);
  useEffect(() => {
    if (count === 0) return;
    const timers = AFTER.map((ms) => setTimeout(refresh, ms));
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [count, refresh]);
}
