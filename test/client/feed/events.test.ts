import { defineAgent, type Fact, type StreamDelta } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
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
  kit.model.script(text('one two three four five', { chunkSize: 4, chunkDelay: 20 }));
  const run = await kit.start(writer, { input: 'go' });
  const events: (Fact | StreamDelta)[] = [];
  for await (const event of run.events()) events.push(event);
  const deltas = events.filter(isDelta);
  const shown = deltas.map((d) => (d.type === 'stream.text' ? d.text : '')).join('');
  expect('one two three four five'.endsWith(shown) && shown.length > 4).toBe(true);
  expect(deltas[0]).toMatchObject({ id: run.id, turn: 1, callId: 'call-1', attempt: 1 });
  expect(deltas.map((d) => d.seq)).toEqual([...deltas.map((d) => d.seq)].sort((a, b) => a - b));
  expect(events.at(-1)).toMatchObject({ type: 'loop.end', reason: 'completed' });
});

it('gives a reader that joins in mid-answer all of it, behind the facts that precede it', async () => {
  kit.model.script(text('one two three four five six', { chunkSize: 3, chunkDelay: 60 }));
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
  await until(() => (shown[0]?.length ?? 0) >= 9, 'the middle of the answer');
  await Promise.all([first, read(), read(3)]);
  expect(shown).toEqual(Array(3).fill('one two three four five six'));
});

it('does not show again what an interrupted answer had said', async () => {
  const chat = kit.client.conversation(talker, { id: 'interrupted' });
  kit.model.script(text('interrupted', { chunkSize: 2, chunkDelay: 500 }), text('heard'));
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
  kit.model.script(
    fault({ kind: 'cut', after: 8 }, { text: 'half an answer', chunkSize: 4, chunkDelay: 10 }),
    text('whole', { chunkDelay: 10 }),
  );
  const run = await kit.start(writer, { input: 'go' });
  let shown = '';
  for await (const event of run.events()) {
    if (event.type === 'stream.text') shown += event.text;
    if (event.type === 'stream.clear') shown = '';
  }
  expect(shown).toBe('whole');
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
  kit.model.script(text('a long answer', { chunkSize: 1, chunkDelay: 20 }));
  const run = await kit.start(writer, { input: 'go' });
  for await (const event of run.events()) if (event.type === 'stream.text') break;
  expect((await run.result()).data).toBe('a long answer');
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
  kit.model.script(text('slowly said', { chunkSize: 1, chunkDelay: 100 }));
  const run = await kit.start(writer, { input: 'go' });
  await expect(run.result({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' });
  await expect(run.result({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  expect((await run.result({ signal: AbortSignal.timeout(60_000) })).data).toBe('slowly said');
});
