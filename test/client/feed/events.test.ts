import { defineAgent, type Fact, type StreamDelta } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { flowingAnswer } from '../../flowing-answer';
import { newGate } from '../../gate';
import { until } from '../../until';

const writer = defineAgent({ name: 'notes.writer', instructions: 'Write.' });

const talker = defineAgent({ name: 'notes.talker', mode: 'conversation', instructions: 'Talk.' });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [writer, talker], server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const isDelta = (event: Fact | StreamDelta): event is StreamDelta => event.type.startsWith('stream.');

it('streams deltas between the facts, with run, turn, call and attempt', async () => {
  const counts = flowingAnswer();
  kit.model.script(counts.step);
  const run = await kit.start(writer, { input: 'go' });
  const events: (Fact | StreamDelta)[] = [];
  for await (const event of run.events()) {
    events.push(event);
    if (isDelta(event)) counts.end();
  }
  const deltas = events.filter(isDelta);
  const shown = deltas.map((d) => (d.type === 'stream.text' ? d.text : '')).join('');
  expect(shown).toBe(counts.said());
  expect(deltas[0]).toMatchObject({ id: run.id, turn: 1, callId: 'call-1', attempt: 1 });
  expect(deltas.map((d) => d.seq)).toEqual([...deltas.map((d) => d.seq)].sort((a, b) => a - b));
  expect(events.at(-1)).toMatchObject({ type: 'loop.end', reason: 'completed' });
});

it('gives a reader that joins in mid-answer all of it, behind the facts that precede it', async () => {
  const counts = flowingAnswer();
  kit.model.script(counts.step);
  const run = await kit.start(writer, { input: 'go' });
  const shown: string[] = [];
  const read = async (after?: number) => {
    const place = shown.push('') - 1;
    for await (const event of run.events({ after: after ?? 0 })) {
      if (event.type === 'stream.text') shown[place] += event.text;
      if (place > 0 && event.type === 'loop.iteration') expect(shown[place]).toBe('');
      if (event.type === 'message' && event.message.role === 'assistant') break;
    }
  };
  const first = read();
  await until(() => shown[0]?.includes('word2') === true, 'the middle of the answer');
  const late = [read(), read(3)];
  await until(() => shown.every((text) => text !== ''), 'the readers that join');
  counts.end();
  await Promise.all([first, ...late]);
  expect(shown).toEqual(Array(3).fill(counts.said()));
});

it('does not show again what an interrupted answer had said', async () => {
  const chat = kit.client.conversation(talker, { id: 'interrupted' });
  kit.model.script(fault({ kind: 'stall', after: 5 }, { text: 'interrupted' }), text('heard'));
  await chat.send('go');
  for await (const event of chat.events()) if (event.type === 'stream.text') break;
  await chat.interrupt();
  let last = 0;
  for await (const fact of chat.facts()) {
    last = fact.seq;
    if (fact.type === 'exchange.end') break;
  }
  const shown: string[] = [];
  const late = (async () => {
    for await (const event of chat.events({ after: last })) {
      if (event.type === 'stream.text') shown.push(event.text);
      if (event.type === 'exchange.end') break;
    }
  })();
  await chat.send('again');
  await late;
  expect('heard'.endsWith(shown.join(''))).toBe(true);
});

it('withdraws the text of a failed attempt before the next one starts', async () => {
  const { open: read, opened } = newGate();
  kit.model.script(async () => {
    await opened;
    return fault({ kind: 'cut', after: 8 }, { text: 'half an answer', chunkSize: 4 });
  }, text('whole'));
  const run = await kit.start(writer, { input: 'go' });
  const shown: string[] = [''];
  for await (const event of run.events()) {
    if (event.type === 'loop.iteration') read();
    if (event.type === 'stream.text') shown[shown.length - 1] += event.text;
    if (event.type === 'stream.clear') shown.push('');
  }
  expect(shown).toEqual(['half an ', 'whole']);
});

it('shows the message that stops an answer, and the end of that answer, before the next one', async () => {
  const second = flowingAnswer('next');
  kit.model.script(fault({ kind: 'stall', after: 12 }, { text: 'the first answer', chunkSize: 4 }), second.step);
  const run = await kit.start(writer, { input: 'go' });
  const seen: string[] = [];
  for await (const event of run.events()) {
    if (event.type === 'stream.text' && event.turn === 1 && !seen.includes('text 1'))
      await run.steer('extra', { when: 'now' });
    if (event.type === 'stream.text' && event.turn === 2) second.end();
    const what = event.type === 'stream.text' ? `text ${event.turn}` : event.type;
    if (event.type === 'message') seen.push(event.message.partial ? 'partial' : event.message.role);
    else if (/^text|iteration/.test(what) && seen.at(-1) !== what) seen.push(what);
  }
  expect(seen).toEqual([
    'user',
    'loop.iteration',
    'text 1',
    'partial',
    'text.withdrawn',
    'loop.iteration',
    'user',
    'text 2',
    'assistant',
  ]);
});

it('adds no event to the history by streaming', async () => {
  const count = async (chunks: object) => {
    kit.model.script(text('x'.repeat(400), chunks));
    const run = await kit.start(writer, { input: 'go' });
    await run.result();
    return (await kit.history(run)).events?.length;
  };
  expect(await count({ chunkSize: 2 })).toBe(await count({ chunkSize: 400 }));
});

it('lets a reader leave in the middle', async () => {
  const answer = flowingAnswer();
  kit.model.script(answer.step);
  const run = await kit.start(writer, { input: 'go' });
  for await (const event of run.events()) if (event.type === 'stream.text') break;
  answer.end();
  expect((await run.result()).data).toBe(answer.said());
});

it('makes an ended run findable by agent, status and owner, and describes it on its page', async () => {
  kit.model.script(text('done'));
  const run = await kit.start(writer, { input: 'go', owner: 'ann' });
  await run.result();
  const query = `HoldfastAgent = 'notes.writer' AND HoldfastStatus = 'completed' AND HoldfastOwner = 'ann'`;
  const found = async () => {
    const ids: string[] = [];
    for await (const { workflowId } of kit.temporal.client.workflow.list({ query })) ids.push(workflowId);
    return ids;
  };
  await until(async () => (await found()).length > 0, 'the run to be listed');
  expect(await found()).toEqual([run.id]);
  const metadata = await run.workflow.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  expect(metadata.currentDetails).toContain('completed');
});

it('says that there is no such run', async () => {
  const missing = { type: 'RunNotFound', message: expect.stringContaining('no-such-run') };
  const run = kit.client.get('no-such-run');
  await expect(run.result()).rejects.toMatchObject(missing);
  await expect(run.state()).rejects.toMatchObject(missing);
  await expect(run.cancel()).rejects.toMatchObject(missing);
});

it('ends the wait for a result with the signal of the caller, and not the run', async () => {
  const answer = flowingAnswer();
  kit.model.script(answer.step);
  const run = await kit.start(writer, { input: 'go' });
  await expect(run.result({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' });
  await expect(run.result({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  answer.end();
  expect((await run.result({ signal: AbortSignal.timeout(60_000) })).data).toBe(answer.said());
});
