import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, type ChatRequest, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { factsOf } from '../facts';
import { callsOf, fetch, readPages } from './pages';
import { asksForSummary, linesOf, tokensOf } from './tokens';

const WINDOW = 8000;
const ROUNDS = 30;
const about = {
  instructions: 'Read on.',
  tools: { fetch },
  limits: { maxToolInteractions: 60 },
} as const;
const reader = defineAgent({ name: 'summary.reader', ...about, context: { strategy: 'summarise' } });
const cheap = defineAgent({ name: 'summary.cheap', ...about, context: { strategy: 'summarise', model: 'cheap' } });
const small = defineAgent({
  name: 'summary.small',
  ...about,
  modelClass: 'small',
  context: { strategy: 'summarise', keep: 4 },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [reader, cheap, small], contextWindow: WINDOW });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

it('old messages are replaced by a summary, which the next one includes; the transcript stays whole', async () => {
  let written = 0;
  readPages(kit, { rounds: ROUNDS, summary: () => text(`SUMMARY ${++written}`) });
  const run = await kit.start(reader, { input: 'read' });
  expect((await run.result()).data).toBe('read it all');

  const bodies = kit.model.requests.map(({ body }) => body);
  const summaries = bodies.filter(asksForSummary);
  const calls = callsOf(kit);
  expect(calls).toHaveLength(ROUNDS + 1);
  expect(written).toBeGreaterThanOrEqual(2);
  expect(written).toBeLessThan(ROUNDS / 2);
  expect(JSON.stringify(summaries[1]?.messages)).toContain('SUMMARY 1');
  expect(JSON.stringify(summaries[0]?.messages)).toContain('R0 the quick');
  expect(summaries.every(({ tools }) => tools === undefined)).toBe(true);
  for (const body of calls) expect(tokensOf(body)).toBeLessThanOrEqual(WINDOW - 2000);

  const last = linesOf(calls.at(-1) as ChatRequest);
  expect(last[0]).toBe('system: Read on.');
  expect(last[1]).toBe(
    `user: [Earlier messages are replaced by this summary. It is a record, not a new request.]\nSUMMARY ${written}`,
  );
  expect(last[2]).toBe('user: read');
  expect(last.at(-1)).toMatch(/^tool: R29 /);
  expect(await run.transcript()).toHaveLength(2 + 2 * ROUNDS);

  const facts = await factsOf(run);
  const compacted = facts.flatMap((fact) => (fact.type === 'context.compacted' ? [fact] : []));
  expect(compacted.map(({ summary }) => summary)).toEqual(
    Array.from({ length: written }, (_, n) => `SUMMARY ${n + 1}`),
  );
  for (const { tokens, method, model } of compacted) {
    expect(tokens.after).toBeLessThan(tokens.before);
    expect({ method, model }).toEqual({ method: 'summarise', model: 'scripted' });
  }
  // Each answer and each summary is paid for.
  expect(facts.filter(({ type }) => type === 'usage')).toHaveLength(ROUNDS + 1 + written);
  const { usage, budget } = await run.state();
  expect(usage.prompt).toBeGreaterThan(calls.reduce((sum, body) => sum + tokensOf(body), 0));
  expect(budget).toMatchObject({ total: WINDOW, summary: expect.any(Number) });
  await kit.replay(run);
});

it('a cheaper model may write it; a small model reads it before the system prompt', async () => {
  readPages(kit, { rounds: ROUNDS, summary: ({ model }) => text(`SUMMARY by ${model}`) });
  const run = await kit.start(small, { input: 'read' });
  await run.result();
  const last = kit.model.requests.at(-1)?.body as ChatRequest;
  expect(linesOf(last)[0]).toMatch(/^system: \[Earlier messages .*\]\nSUMMARY by scripted\n\nRead on\.$/);
  expect(linesOf(last)[1]).toBe('user: read');
  await kit.replay(run);

  kit.model.reset();
  readPages(kit, { rounds: ROUNDS });
  const other = await kit.start(cheap, { input: 'read' });
  await other.result();
  const asked = (await kit.history(other)).events?.flatMap(({ activityTaskScheduledEventAttributes: it }) =>
    it?.activityType?.name === 'holdfast.compact' ? String(it.input?.payloads?.[0]?.data) : [],
  );
  expect(asked?.length).toBeGreaterThan(0);
  for (const input of asked ?? []) expect(input).toContain('"writer":"cheap"');
});

it('a failed summary is a fact, and old messages are left out instead', async () => {
  const summary = () => fault({ kind: 'status', status: 400, message: 'no summaries today' });
  readPages(kit, { rounds: ROUNDS, summary });
  const run = await kit.start(reader, { input: 'read' });
  expect((await run.result()).data).toBe('read it all');
  const calls = callsOf(kit);
  for (const body of calls) expect(tokensOf(body)).toBeLessThanOrEqual(WINDOW - 2000);
  const facts = await factsOf(run);
  expect(facts.flatMap((fact) => (fact.type === 'context.summary.failed' ? [fact.error] : []))[0]).toMatchObject({
    type: 'ModelRequestInvalid',
    message: expect.stringContaining('no summaries today'),
  });
  expect(facts.some(({ type }) => type === 'context.trimmed')).toBe(true);
  // Not before every call.
  const failed = kit.model.requests.length - calls.length;
  expect(failed).toBeLessThan(ROUNDS / 2);
  await kit.replay(run);
});

it('a summary that is too long is cut', async () => {
  readPages(kit, { rounds: ROUNDS, summary: () => text('word '.repeat(2000)) });
  const run = await kit.start(reader, { input: 'read' });
  await run.result();
  const [compacted] = await factsOf(run, 'context.compacted');
  expect(compacted?.summary?.length).toBeGreaterThan(2000);
  expect(compacted?.summary?.length).toBeLessThanOrEqual(500 * 5);
});
