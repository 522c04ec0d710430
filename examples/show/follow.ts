import { setTimeout as delay } from 'node:timers/promises';
import type { Fact } from 'holdfast';
import { type AgentClient, HoldfastError, type RunHandle } from 'holdfast/client';

/** Called with each fact of a run and of the agents that work for it. */
export type Listener = (who: string, fact: Fact, run: RunHandle) => void | Promise<void>;

/** Follows a run, and each agent that it delegates to, until the end. */
export async function follow(client: AgentClient, who: string, id: string, listen: Listener): Promise<void> {
  const run = client.get(id);
  const below: Promise<void>[] = [];
  for await (const fact of run.facts()) {
    await listen(who, fact, run);
    if (fact.type === 'service.called' && fact.kind === 'agent') {
      below.push(begun(client.get(fact.ref)).then(() => follow(client, fact.name, fact.ref, listen)));
    }
  }
  await Promise.all(below);
}

/** Waits until the run exists: the fact about the call comes a moment before the other agent's run. */
async function begun(run: RunHandle): Promise<void> {
  for (;;) {
    try {
      await run.state();
      return;
    } catch (error) {
      if (!(error instanceof HoldfastError) || error.type !== 'RunNotFound') throw error;
      await delay(50);
    }
  }
}
