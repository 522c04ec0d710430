import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf, waitForFact } from '../facts';
import { newGate } from '../gate';
import { until } from '../until';
import { asksForSummary, linesOf } from './tokens';

const desk = defineAgent({ name: 'compact.desk', mode: 'conversation', instructions: 'Talk.' });
const look = defineTool({ description: 'Looks', effect: 'read', inputSchema: z.object({}), execute: () => 'seen' });
const finder = defineAgent({ name: 'compact.finder', mode: 'conversation', instructions: 'Find.', tools: { look } });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [desk, finder] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

/** A conversation with answered questions; its window is not known. */
async function talk(count: number) {
  kit.model.script(...Array.from({ length: count }, (_, n) => text(`A${n}`)));
  const run = await kit.start(desk, { input: null });
  for (let n = 0; n < count; n++) await run.answerTo(await run.send(`Q${n}`));
  return run;
}

it('a conversation that waits compacts at once, and the next call has the summary', async () => {
  const run = await talk(4);
  kit.model.script(text('Goal: talk'), text('A4'));
  expect(await run.compact({ keep: 2, by: 'ann' })).toMatchObject({ when: 'now', messages: 6 });
  expect(await waitForFact(run, 'context.compacting')).toMatchObject({ by: 'ann', method: 'summarise' });
  expect(await waitForFact(run, 'context.compacted')).toMatchObject({ from: 6, summary: 'Goal: talk' });
  await run.answerTo(await run.send('Q4'));
  expect(linesOf(kit.model.requests.at(-1)?.body as never)).toEqual([
    'system: Talk.',
    'user: [Earlier messages are replaced by this summary. It is a record, not a new request.]\nGoal: talk',
    ...['user: Q3', 'assistant: A3', 'user: Q4'],
  ]);
  expect(await run.transcript()).toHaveLength(10);
  await kit.replay(run);
});

it('a later summary takes over the earlier one', async () => {
  const run = await talk(3);
  kit.model.script(text('FIRST'), text('A3'), text('SECOND'));
  await run.compact({ keep: 1 });
  await waitForFact(run, 'context.compacted');
  await run.answerTo(await run.send('Q3'));
  await run.compact({ keep: 1 });
  await waitForFact(run, 'context.compacted', 2);
  const asked = kit.model.requests.map(({ body }) => body).filter(asksForSummary);
  expect(String(asked[1]?.messages[1]?.content)).toMatch(
    /^<earlier_summary>\nFIRST\n<\/earlier_summary>\n\n<messages>\nassistant: A2\nuser: Q3\n<\/messages>/,
  );
  await kit.replay(run);
});

it('during an answer it waits for the next call', async () => {
  const run = await talk(3);
  const { open: answer, opened } = newGate();
  kit.model.script(() => opened.then(() => text('A3')), text('SUMMARY'), text('A4'));
  const sent = await run.send('Q3');
  await until(() => kit.model.requests.length === 4, 'the call');
  expect(await run.compact({ keep: 2 })).toMatchObject({ when: 'next-call' });
  answer();
  await run.answerTo(sent);
  await waitForFact(run, 'context.compacted');
  await run.answerTo(await run.send('Q4'));
  expect(linesOf(kit.model.requests.at(-1)?.body as never)[1]).toMatch(/SUMMARY$/);
  await kit.replay(run);
});

it('a regenerated answer is asked for with the summary', async () => {
  const run = await talk(2);
  kit.model.script(text('SUMMARY'), text('A1 again'));
  await run.compact({ keep: 1 });
  const { from } = await waitForFact(run, 'context.compacted');
  expect(from).toBe(3);
  await run.answerTo(await run.regenerate());
  expect(linesOf(kit.model.requests.at(-1)?.body as never)[1]).toMatch(/SUMMARY$/);
  await kit.replay(run);
});

it('is refused by name where there is nothing to compact, and for a malformed request', async () => {
  const run = await talk(1);
  await expect(run.compact()).rejects.toMatchObject({ type: 'NothingToCompact', data: { keep: 10 } });
  await expect(run.compact({ keep: 0 })).rejects.toMatchObject({ type: 'InvalidMessage' });
  await run.close();
  await run.result();
  await expect(run.compact({ keep: 1 })).rejects.toMatchObject({ type: 'RunEnded' });
});

it('is a signal as well, and an invalid one is counted', async () => {
  const run = await talk(3);
  kit.model.script(text('SUMMARY'));
  const handle = kit.temporal.client.workflow.getHandle(run.id);
  await handle.signal('compact', { keep: 'two' });
  await handle.signal('compact', { keep: 2 });
  await waitForFact(run, 'context.compacted');
  expect((await run.state()).ignored).toEqual({ InvalidMessage: 1 });
});

/** A conversation that compacts in the middle of an exchange; the summary is being written. */
async function compacting() {
  const { open: look, opened: looks } = newGate();
  const { open: summarise, opened: summarises } = newGate();
  kit.model.script(
    text('A0'),
    () => looks.then(() => call('look', {})),
    () => summarises.then(() => text('SUMMARY')),
  );
  const run = await kit.start(finder, { input: null });
  await run.answerTo(await run.send('Q0'));
  const sent = await run.send('Q1');
  await until(() => kit.model.requests.length === 2, 'the call');
  await run.compact({ keep: 1 });
  look();
  await until(() => kit.model.requests.length === 3, 'the request for a summary');
  return { run, sent, summarise };
}

it('an interrupt ends the exchange and the compaction in it; the conversation goes on', async () => {
  const { run, sent } = await compacting();
  await run.interrupt();
  expect(await run.answerTo(sent)).toMatchObject({ reason: 'interrupted' });
  kit.model.script(text('A2'));
  await run.answerTo(await run.send('Q2'));
  expect(linesOf(kit.model.requests.at(-1)?.body as never)[1]).toBe('user: Q0');
  await kit.replay(run);
});

it('a message that arrives meanwhile is read by the next call', async () => {
  const { run, sent, summarise } = await compacting();
  await run.steer('only blue ones', { when: 'now' });
  summarise();
  kit.model.script(text('A1'));
  expect(await run.answerTo(sent)).toMatchObject({ data: 'A1' });
  const lines = linesOf(kit.model.requests.at(-1)?.body as never);
  expect(lines[1]).toMatch(/SUMMARY$/);
  expect(lines.at(-1)).toBe('user: only blue ones');
  await kit.replay(run);
});

it('a cancel while it compacts ends the run', async () => {
  const run = await talk(3);
  kit.model.script(fault({ kind: 'stall', after: 0 }, { text: 'SUMMARY' }));
  await run.compact({ keep: 1 });
  await waitForFact(run, 'context.compacting');
  await until(() => kit.model.requests.length === 4, 'the request for a summary');
  await run.cancel();
  await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
  expect((await factsOf(run)).map(({ type }) => type)).not.toContain('context.compacted');
  await kit.replay(run);
});

it('a worker that has just started asks the run for the summary', async () => {
  const real = await createAgentTestEnvironment({ agents: [desk], server: 'dev' });
  try {
    real.model.script(text('A0'), text('A1'), text('SUMMARY'), text('A2'));
    const run = await real.start(desk, { input: null });
    for (const said of ['Q0', 'Q1']) await run.answerTo(await run.send(said));
    await run.compact({ keep: 1 });
    await waitForFact(run, 'context.compacted');
    await real.stopWorker();
    await real.startWorker();
    await run.answerTo(await run.send('Q2'));
    expect(linesOf(real.model.requests.at(-1)?.body as never)[1]).toMatch(/SUMMARY$/);
    await real.replay(run);
  } finally {
    await real.close();
  }
});
