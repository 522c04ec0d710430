import { MAX_CALLS } from '../limits';
import type { ToolSpec } from '../protocol/manifest';
import { defined } from '../values/defined';
import type { ToolRequest } from './answer';

/** A call of an answer, with the id and the tool that the run gives it. */
export interface PlannedCall {
  toolUseId: string;
  request: ToolRequest;
  /** Missing: there is no tool of this name. */
  tool?: ToolSpec;
  priority: number;
  /** More calls came before it than are run in one answer. */
  tooMany: boolean;
}

/** Calls of the highest priority present, and the others. */
export interface PlannedCalls {
  calls: PlannedCall[];
  dropped: PlannedCall[];
}

/**
 * Names the calls of an answer by their places in it. The worker that asked the model plans as the workflow does, so that
 * the rules of a tool see the id that the call will have.
 */
export function planCalls(turn: number, requests: readonly ToolRequest[], tools: readonly ToolSpec[]): PlannedCalls {
  const planned = requests.map((request, i): PlannedCall => {
    const tool = tools.find(({ modelName }) => modelName === request.name);
    return {
      toolUseId: `t${turn}.${i + 1}`,
      request,
      ...defined({ tool }),
      priority: tool?.priority ?? 0,
      tooMany: i >= MAX_CALLS,
    };
  });
  const highest = planned.reduce((most, { priority }) => Math.max(most, priority), Number.NEGATIVE_INFINITY);
  return {
    calls: planned.filter(({ priority }) => priority === highest),
    dropped: planned.filter(({ priority }) => priority < highest),
  };
}
