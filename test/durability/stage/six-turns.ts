import { setTimeout as delay } from 'node:timers/promises';
import type { AgentClient } from '../../../client/agent-client';
import { factsOf } from '../../facts';
import { call, calls, text } from '../../kit/scripted-model';
import { clerk } from './agents';
import type { Turn } from './run-scripts';
import type { Stage } from './stage';

/** Calls of each effect in several turns, slow enough that a kill finds something in its middle. */
export const SIX_TURNS: Turn[] = [
  call('look', { item: '1' }),
  calls(['pay', { item: '2' }], ['put', { item: '2' }]),
  calls(['pay', { item: '3', mode: 'brief' }], ['look', { item: '3' }], ['put', { item: '3', mode: 'brief' }]),
  { ...call('put', { item: '4' }), chunkDelay: 10, chunkSize: 2 },
  calls(['pay', { item: '5' }], ['look', { item: '5' }]),
  text('done'),
];

/**
 * Checks ended runs of {@link SIX_TURNS}: all completed, whole, one key for each call however often it ran, and no call
 * twice that must not be repeated.
 */
export async function checkSixTurns(stage: Stage, names: readonly string[]) {
  let unknown = 0;
  for (const name of names) {
    const facts = await stage.checked(stage.client.get(name));
    expect(facts.at(-1)).toMatchObject({ reason: 'completed', turns: 6 });
    for (const fact of facts) {
      if (fact.type !== 'tool.error') continue;
      expect(fact).toMatchObject({ name: 'pay', error: { type: 'OutcomeUnknown' } });
      unknown += 1;
    }
    const starts = stage.lines(name, 'start');
    for (const id of new Set(starts.map(({ toolUseId }) => toolUseId))) {
      const ofCall = starts.filter(({ toolUseId }) => toolUseId === id);
      expect(new Set(ofCall.map(({ key }) => key)).size).toBe(1);
      if (ofCall[0]?.tool === 'pay') expect(ofCall).toHaveLength(1);
    }
  }
  const starts = names.flatMap((name) => stage.lines(name, 'start'));
  return { unknown, repeated: starts.filter(({ attempt }) => attempt > 1).length, starts };
}

/**
 * Starts a run of {@link SIX_TURNS} every second and follows each one to its end. Checks the runs as {@link checkSixTurns}
 * does, and that who followed them was told each fact, once and in order.
 */
export async function followSixTurns(stage: Stage, client: AgentClient, count: number) {
  const names = Array.from({ length: count }, (_, i) => `run-${i}`);
  const followed = await Promise.all(
    names.map(async (name, i) => {
      await delay(1000 * i);
      stage.model.script(name, ...SIX_TURNS);
      const run = await client.start(clerk, { id: name, input: { run: name } });
      const [facts, { data }] = await Promise.all([factsOf(run), run.result()]);
      return { facts, data };
    }),
  );
  expect(followed.map(({ data }) => data)).toEqual(names.map(() => 'done'));
  const { unknown, repeated } = await checkSixTurns(stage, names);
  for (const [i, name] of names.entries()) {
    expect(followed[i]?.facts).toEqual(await stage.checked(stage.client.get(name)));
  }
  return { unknown, repeated };
}
