import type { RunHandle } from '../../client/runs/run-handle';
import type { AgentTestEnvironment } from '../kit';

/** A run of one kind, with the end that it must have. */
export interface RunKind {
  end: string;
  make(kit: AgentTestEnvironment): Promise<{ run: RunHandle<unknown>; end: string }>;
}

/** Runs a script to its end, which has to be the one that the fixture is for. */
export const ended = async (run: RunHandle<unknown>) => ({
  run,
  end: await run.result().then(
    ({ data }) => JSON.stringify(data),
    (error: { type: string }) => error.type,
  ),
});
