import type { Span } from './spans-of';

/** The part of the width that all waits together may take beside work. */
const WAITS = 0.35;

/** Where a time is in the picture: 0 at the start, 1 at the end. */
export interface Scale {
  at(time: number): number;
  /** Stretches that are shown shorter than they were: a wait of days would leave nothing for the work. */
  breaks: { start: number; end: number }[];
}

/** A scale that is linear while something works, and shortens stretches in which the run only waits. */
export function scaleOf(spans: readonly Span[], start: number, end: number): Scale {
  const times = new Set([start, end]);
  for (const span of spans) for (const time of [span.start, span.end ?? end]) times.add(clamp(time, start, end));
  const edges = [...times].sort((a, b) => a - b);
  const stretches = edges.slice(1).map((to, i) => {
    const from = edges[i] ?? start;
    return {
      from,
      to,
      works: spans.some((span) => span.kind !== 'wait' && span.start < to && (span.end ?? end) > from),
    };
  });
  const sum = (works: boolean) =>
    stretches.reduce((total, one) => total + (one.works === works ? one.to - one.from : 0), 0);
  const [work, waits] = [sum(true), sum(false)];
  const room = work === 0 ? waits : (work * WAITS) / (1 - WAITS);
  const factor = waits > room ? room / waits : 1;
  const widths = stretches.map(({ from, to, works }) => (to - from) * (works ? 1 : factor));
  const total = widths.reduce((a, b) => a + b, 0);
  return {
    at(time) {
      const to = clamp(time, start, end);
      let width = 0;
      for (const [i, stretch] of stretches.entries()) {
        if (stretch.from >= to) break;
        const part = (Math.min(to, stretch.to) - stretch.from) / (stretch.to - stretch.from);
        width += (widths[i] ?? 0) * part;
      }
      return total === 0 ? 0 : width / total;
    },
    breaks: factor === 1 ? [] : stretches.flatMap(({ from, to, works }) => (works ? [] : [{ start: from, end: to }])),
  };
}

function clamp(time: number, start: number, end: number): number {
  return Math.min(end, Math.max(start, time));
}
