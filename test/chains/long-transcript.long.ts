import { defineAgent, defineTool } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { CARRIED_BYTES } from '../../agent/state/carried/carried';
import { factsOf } from '../facts';
import { until } from '../until';
import { tell } from './move';

const agent = defineAgent({
  name: 'test.pages',
  mode: 'conversation',
  limits: { maxToolInteractions: 1000 },
  tools: {
    read: defineTool({
      description: 'reads',
      inputSchema: z.object({ n: z.number() }),
      effect: 'read',
      execute: ({ n }) => `page ${n} `.repeat(3000).slice(0, 25_000),
    }),
  },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  const serverSettings = ['limit.historyCount.suggestContinueAsNew=60'];
  kit = await createAgentTestEnvironment({ agents: [agent], server: 'dev', serverSettings });
});
afterAll(() => kit.close());

const TURNS = 60;

test('of a transcript that is too large to be carried, the beginning is read from the earlier histories', async () => {
  for (let n = 1; n <= TURNS; n++) kit.model.script(call('read', { n }));
  kit.model.script(text('first'), text('second'), text('third'));
  const run = (await kit.start(agent, { input: 'go' })) as RunHandle<unknown>;
  const idle = () =>
    until(async () => (await run.state()).idle && (await run.state()).queued === 0, 'an answer', 60_000);
  await idle();
  await tell(kit, run, 'regenerate');
  await idle();
  await run.continueAsNew();
  await until(async () => ((await kit.histories(run)).at(-1)?.events?.length ?? 0) < 25, 'the move');
  await run.send('more');
  await idle();
  const messages = await run.transcript();
  expect(JSON.stringify(messages).length).toBeGreaterThan(1.8 * CARRIED_BYTES.transcript);
  expect(messages.filter(({ missing }) => missing !== undefined)).toEqual([]);
  const pages = messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === 'tool_result' && part.content[0]?.type === 'text' ? [part.content[0].text.split(' ')[1]] : [],
    ),
  );
  expect(pages).toEqual(Array.from({ length: TURNS }, (_, i) => String(i + 1)));
  const said = messages.flatMap(({ parts }) => (parts[0]?.type === 'text' ? [parts[0].text] : []));
  expect(said).toEqual(['go', 'second', 'more', 'third']);
  // From any message on.
  for (const from of [1, 50, 100, messages.length - 1]) {
    expect(await run.transcript({ from })).toEqual(messages.slice(from));
  }
  // What a history begins with is within its limit.
  for (const { events } of await kit.histories(run)) {
    const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
    expect(input?.length ?? 0).toBeLessThan(1_500_000);
  }
  await tell(kit, run, 'close');
  const facts = await factsOf(run);
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, i) => i + 1));
  await kit.replay(run);
});
