import { setTimeout as delay } from 'node:timers/promises';
import { rootCause } from '@temporalio/common';
import type { Agent } from '../../agent';
import { HoldfastError } from '../../agent/errors/error';
import type { Message } from '../../agent/model/message';
import type { Fact } from '../../agent/protocol/facts/fact';
import type { RunState } from '../../agent/state/run-state';
import type { AgentClient } from '../../client/agent-client';
import { startOptions } from '../../client/runs/start/start-run';
import { type Deed, Teller } from '../determinism/random/teller';
import { factsOf } from '../facts';
import { slowness } from '../slowness';
import { talk, WholePeople } from './people';
import { waitProblems } from './waits';

export interface Played {
  id: string;
  agent: string;
  end: string;
  stuck?: string;
  facts: Fact[];
  messages: Message[];
  heard: Fact[];
  state?: RunState;
  deeds: readonly Deed[];
  problems: string[];
}

/** Milliseconds without any event after which a run counts as stuck. */
const PATIENCE = Number(process.env.PATIENCE ?? 90_000);

export async function play(
  client: AgentClient,
  agent: Agent,
  id: string,
  seed: number,
  deeds: number,
): Promise<Played> {
  const { temporal } = client;
  const isTask = agent.definition.mode !== 'conversation';
  const input = { input: isTask ? { mark: `Do ${id}.`, size: 1 } : null, owner: `owner-${seed % 3}` };
  await temporal.workflow.start(agent.name, startOptions({ agent: agent.name, id, taskQueue: 'holdfast', input }));
  const run = client.get<unknown, 'conversation'>(id);
  const tellers = new Map<string, Teller>();
  const tellerOf = (of: string) => {
    const known = tellers.get(of) ?? new Teller(temporal, of, { seed: seed + tellers.size, repeats: true });
    tellers.set(of, known);
    return known;
  };
  const own = tellerOf(id);
  const people = new WholePeople(tellerOf);
  const over = new AbortController();
  const problems: string[] = [];
  const heard: Fact[] = [];
  const reading = (async () => {
    for await (const fact of run.facts({ signal: over.signal })) heard.push(fact);
  })().catch((error: unknown) => {
    if (!over.signal.aborted) problems.push(`reading facts: ${String(error)}`);
  });
  const watching = (async () => {
    for (let i = 0; !over.signal.aborted; i++) {
      try {
        const pending = await run.waiting({ signal: over.signal });
        people.hear(pending);
        for (const { kind, ref } of pending.services)
          if (kind === 'child') people.hear(await client.get(ref).waiting({ signal: over.signal }));
        if (i % 4 === 0) problems.push(...(await waitProblems(client, id, heard, over.signal)));
      } catch (error) {
        const isMeant =
          over.signal.aborted ||
          (error instanceof HoldfastError && /^(RunNotFound|RunEnded|NoWorker)$/.test(error.type));
        if (!isMeant) problems.push(`waiting: ${String(error)}`);
      }
      await delay(250, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  const cancels = own.random.below(12) === 0;
  const ending = endOf(client, id).finally(() => over.abort());
  if (!isTask) await own.tell('update', 'send', { text: `Begin ${id}`, id: `${id}-first` }, `${id}-first`);
  await talk(own, deeds, over.signal);
  if (cancels && !over.signal.aborted) await run.cancel();
  else if (!isTask && !over.signal.aborted) await own.tell(own.via(), 'close', {}, '');
  const end = await ending;
  if ('stuck' in end) await run.workflow.terminate(end.stuck);
  await Promise.all([reading, watching]);
  for (const teller of tellers.values()) await teller.done();
  const played = { id, agent: agent.name, heard, deeds: own.deeds, problems };
  for (const teller of tellers.values()) problems.push(...teller.problems);
  if ('stuck' in end) return { ...played, end: 'stuck', stuck: end.stuck, facts: [], messages: [] };
  try {
    const [facts, messages, state] = [await factsOf(run), await run.transcript(), await run.state()];
    return { ...played, end: end.how, facts, messages, state };
  } catch (error) {
    return { ...played, end: end.how, stuck: `it can no longer be read: ${error}`, facts: [], messages: [] };
  }
}

async function endOf(client: AgentClient, id: string): Promise<{ how: string } | { stuck: string }> {
  const run = client.get<unknown, 'conversation'>(id);
  let over = false;
  const result = run.result().then(
    () => ({ how: 'completed' }),
    (error: unknown) => ({
      how: error instanceof HoldfastError ? error.type : `no HoldfastError: ${rootCause(error) ?? error}`,
    }),
  );
  result.finally(() => {
    over = true;
  });
  const watched = async () => {
    for (let [length, since] = [0, Date.now()]; !over; await delay(1000)) {
      const { historyLength } = await run.workflow.describe();
      if (historyLength !== length) [length, since] = [historyLength, Date.now()];
      const silent = Date.now() - since;
      if (silent > PATIENCE * slowness()) {
        const [state, pending] = await Promise.all([run.state().catch(String), run.waiting().catch(String)]);
        return { stuck: `nothing has happened for ${silent} ms; ${JSON.stringify(state)}; ${JSON.stringify(pending)}` };
      }
    }
    return result;
  };
  return Promise.race([result, watched()]);
}
