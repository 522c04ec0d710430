import { randomUUID } from 'node:crypto';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { AgentClient } from '../client/agent-client';
import { BARE_QUEUE } from './bare/queue';
import { lastText, type WorkInput } from './work';

/** Ours or the bare loop, with the same work, started in the same way. */
export interface Side {
  start(input: WorkInput): Promise<WorkflowHandle>;
  /** One run, from the call that starts it to its result. */
  run(turns: number, more?: Partial<WorkInput>): Promise<Run>;
}

export interface Run {
  ms: number;
  handle: WorkflowHandle;
}

export interface Size {
  events: number;
  bytes: number;
}

export function oursSide(agents: AgentClient, agent: string): Side {
  return side(
    async (input) => (await agents.start(agent, { input })).workflow,
    (result) => (result as { data: unknown }).data,
  );
}

export function bareSide(client: Client, type = 'bareLoop'): Side {
  return side(
    (input) =>
      client.workflow.start(type, { taskQueue: BARE_QUEUE, workflowId: `bare-${randomUUID()}`, args: [input] }),
    (result) => result,
  );
}

function side(start: Side['start'], textOf: (result: unknown) => unknown): Side {
  return {
    start,
    async run(turns, more = {}) {
      const begin = performance.now();
      const handle = await start({ turns, ...more });
      const text = textOf(await handle.result());
      const ms = performance.now() - begin;
      if (text !== lastText(turns)) throw new Error(`Expected ${lastText(turns)}, got ${JSON.stringify(text)}`);
      return { ms, handle };
    },
  };
}

/** Size of a run's history, as the server counts it. */
export async function sizeOf(handle: WorkflowHandle): Promise<Size> {
  const { workflowExecutionInfo: info } = (await handle.describe()).raw;
  return { events: Number(info?.historyLength), bytes: Number(info?.historySizeBytes) };
}
