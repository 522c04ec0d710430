import { isCancellation, proxyLocalActivities } from '@temporalio/workflow';
import type { ToolSpec } from '../agent/manifest';
import type { RunToolInput, ToolOutcome } from '../agent/tool-call';
import { toolSummary } from './summaries';

/** Milliseconds after which an inline call whose worker says nothing is made again as an activity. */
const TIME_LIMIT = 5000;

/**
 * Runs a tool with the workflow task under way, without events of its own. `undefined` where that did not work out, it
 * being too slow, too large, or new to this worker: then it is run again as an activity, which its effect allows.
 */
export async function runInline(tool: ToolSpec, input: RunToolInput): Promise<ToolOutcome | undefined> {
  const tools = proxyLocalActivities<Record<string, (input: RunToolInput) => Promise<ToolOutcome>>>({
    startToCloseTimeout: TIME_LIMIT,
    retry: { maximumAttempts: 1 },
    summary: toolSummary(tool, input.turn, input),
  });
  try {
    return await tools[tool.name]?.(input);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return undefined;
  }
}
