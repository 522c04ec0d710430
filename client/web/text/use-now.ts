import { useEffect, useState } from 'react';

/** The time, which changes each second until `end`. Milliseconds since 1970. */
export function useNowUntil(end: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  const running = end !== undefined && now < end;
  useEffect(() => {
    if (!running) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
