import { defineAgent, defineTool } from 'holdfast';
import type { ConversationHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import type { Fact } from '../../agent/protocol/facts/fact';
import { CARRIED_BYTES } from '../../agent/state/carried/carried';

/** `npm run proof:10000-turns` sets it. */
const TURNS = Number(process.env.TURNS ?? 2000);
/** Of two turns: a call, and the answer. */
const EXCHANGES = TURNS / 2;
const PART = Math.min(250, EXCHANGES / 4);
/** Where the server suggests a new history. */
const EVENTS = 4096;

const look = defineTool({
  description: 'Looks something up',
  inputSchema: z.object({ n: z.number() }),
  effect: 'read',
  execute: ({ n }) => `${n} is ${'so '.repeat(60)}`,
});
const chat = defineAgent({ name: 'test.forever', mode: 'conversation', idle: '7d', tools: { look } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [chat], server: 'dev', contextWindow: 8000 });
});
afterAll(() => kit.close());

/** A Temporal run of the chain. */
interface History {
  events: number;
  bytes: number;
  /** Bytes that it was started with. */
  carried: number;
}

async function histories(run: ConversationHandle<unknown>): Promise<History[]> {
  const found: History[] = [];
  let runId: string | undefined;
  do {
    const handle = kit.temporal.client.workflow.getHandle(run.id, runId);
    const { raw } = await handle.describe();
    const first = (await handle.fetchHistory()).events?.[0]?.workflowExecutionStartedEventAttributes;
    const { historyLength = 0, historySizeBytes = 0 } = raw.workflowExecutionInfo ?? {};
    found.unshift({
      events: Number(historyLength),
      bytes: Number(historySizeBytes),
      carried: first?.input?.payloads?.[0]?.data?.length ?? 0,
    });
    runId = first?.continuedExecutionRunId || undefined;
  } while (runId !== undefined);
  return found;
}

test(`a conversation of ${TURNS} turns lives in several histories, at the same cost to its end`, async () => {
  const run = kit.conversation(chat, { id: 'forever' });
  const times: number[] = [];
  for (let n = 1; n <= EXCHANGES; n++) {
    kit.model.script(call('look', { n }), text(`${n} was looked up`));
    const began = performance.now();
    const { data } = await run.answerTo(await run.send(`Look up ${n}, please`));
    times.push(performance.now() - began);
    expect(data).toBe(`${n} was looked up`);
  }
  const mean = (part: number[]) => part.reduce((sum, ms) => sum + ms, 0) / part.length;
  const [first, last] = [mean(times.slice(0, PART)), mean(times.slice(-PART))];

  await run.close();
  await run.result();
  const began = performance.now();
  const facts: Fact[] = [];
  for await (const fact of run.facts()) facts.push(fact);
  const reading = (performance.now() - began) / 1000;
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, i) => i + 1));
  expect(facts.filter(({ type }) => type === 'exchange.end')).toHaveLength(EXCHANGES);
  expect(facts.filter(({ type }) => type === 'tool.result')).toHaveLength(EXCHANGES);
  expect(await run.transcript()).toHaveLength(4 * EXCHANGES);
  expect((await run.state()).turn).toBe(2 * EXCHANGES);

  const all = await histories(run);
  const whole = all.slice(0, -1);
  const events = all.reduce((sum, one) => sum + one.events, 0);
  // Exchanges of a history end with the fact that it goes on.
  const moves = facts.flatMap((fact, i) => (fact.type === 'run.continued' ? [i] : []));
  const exchanges = moves.map(
    (end, i) => facts.slice(moves[i - 1] ?? 0, end).filter(({ type }) => type === 'exchange.end').length,
  );
  const bytes = whole.map((one, i) => one.bytes / 2 / (exchanges[i] ?? 0));
  console.info(
    [
      `${all.length} histories of ${whole[0]?.events} events, ${(events / EXCHANGES / 2).toFixed(1)} a turn`,
      `bytes a turn: ${bytes.map((one) => Math.round(one)).join(', ')}`,
      `carried ${all
        .slice(1)
        .map(({ carried }) => Math.round(carried / 1024))
        .join(', ')} KB`,
      `${first.toFixed(1)} ms an exchange at first, ${last.toFixed(1)} at last: ${(last / first).toFixed(2)}`,
      `${facts.length} facts were read in ${reading.toFixed(1)} s`,
    ].join('\n'),
  );
  for (const { carried } of all.slice(1)) {
    expect(carried).toBeGreaterThan(0);
    expect(carried).toBeLessThan(CARRIED_BYTES.transcript + CARRIED_BYTES.rest);
  }
  // A history ends at the first turn after the server's suggestion.
  for (const { events } of whole) {
    expect(events).toBeGreaterThanOrEqual(EVENTS);
    expect(events).toBeLessThan(EVENTS + 100);
  }
  expect(all.length).toBeGreaterThanOrEqual(Math.ceil(events / (EVENTS + 100)));
  expect(all.length).toBeLessThanOrEqual(Math.ceil(events / EVENTS));
  // The first begins with nothing; the records that identify repeated commands grow until they have their share.
  expect(Math.max(...bytes) / Math.min(...bytes)).toBeLessThan(1.3);
  expect((bytes.at(-1) ?? 0) / (bytes.at(-2) ?? 0)).toBeLessThan(1.05);
}, 3_600_000);
