import type { Rankers } from '../../activities/tool-filter/rankers';
import type { RankedTool } from '../../agent/tool-filter/tool-text';
import { TASKS } from './corpus';

/** How many tasks have one of their tools among the first 15, or among the ten tools of each of `searches` searches. */
export async function tasksFound(rankers: Rankers, tools: readonly RankedTool[], searches: number): Promise<number> {
  let count = 0;
  for (const { request, tools: wanted, searches: queries } of TASKS) {
    const seen = new Set((await rankers.rank(request, tools, 15)).tools.map(({ name }) => name));
    for (const query of queries.slice(0, searches)) {
      const hidden = await rankers.rank(query, tools, 10, { among: ({ name }) => !seen.has(name) });
      for (const { name } of hidden.tools.slice(0, hidden.matches)) seen.add(name);
    }
    if (wanted.some((name) => seen.has(name))) count++;
  }
  return count;
}
