import type { RunHandle } from '../../client/runs/run-handle';
import type { AgentTestEnvironment } from '../kit';

/** A run of one kind, with its expected end. */
export interface RunKind {
  end: string;
  /** `runId`: the Temporal run whose history is recorded. Missing: the newest. */
  make(kit: AgentTestEnvironment): Promise<{ run: RunHandle<unknown>; end: string; runId?: string }>;
}

/** Waits for the end of a run: its data as JSON, or the type of its error. */
export const ended = async (run: RunHandle<unknown>) => ({
  run,
  end: await run.result().then(
    ({ data }) => JSON.stringify(data),
    (error: { type: string }) => error.type,
  ),
});
