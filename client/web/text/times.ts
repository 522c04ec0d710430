/** A duration as people say it: `340 ms`, `2.4 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function durationText(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 10) return `${(Math.floor(seconds * 10) / 10).toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3_600), Math.floor(seconds / 86_400)];
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds) % 60} s`;
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${days} d ${hours % 24} h`;
}

/** How long ago, or how long until: `now`, `5 min`, `3 h`, `2 d`. */
export function roughly(milliseconds: number): string {
  const minutes = Math.floor(Math.abs(milliseconds) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / 1_440)} d`;
}

/** The time of day, with the date if it is another day. */
export function timeText(time: number, now = Date.now()): string {
  const [at, today] = [new Date(time), new Date(now)];
  const clock = at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  if (at.toDateString() === today.toDateString()) return clock;
  return `${at.toLocaleDateString([], { month: 'short', day: 'numeric' })}, ${clock}`;
}
