import { defineAgent, defineTool } from 'holdfast';
import {
  type AgentTestEnvironment,
  type ChatRequest,
  call,
  createAgentTestEnvironment,
  fault,
  text,
} from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';
import { tokensOf } from './tokens';

const WINDOW = 4000;
const ROUNDS = 30;

const fetch = defineTool({
  description: 'Returns a text of 2 KB',
  effect: 'read',
  inputSchema: z.object({ n: z.number() }),
  execute: ({ n }) => `R${n} ${'the quick brown fox jumps over the lazy dog. '.repeat(50)}`.slice(0, 2048),
});
const tools = { fetch };
const reader = defineAgent({
  name: 'memory.reader',
  instructions: 'Read on.',
  tools,
  limits: { maxToolInteractions: 60 },
});

const chat = defineAgent({ name: 'memory.chat', mode: 'conversation', instructions: 'Talk.', tools });

describe('with a window of 4,000 tokens', () => {
  let kit: AgentTestEnvironment;
  beforeAll(async () => {
    kit = await createAgentTestEnvironment({ agents: [reader, chat], contextWindow: WINDOW });
  });
  afterAll(() => kit.close());
  afterEach(() => kit.model.reset());

  it('a conversation that exceeds the window goes on; a message larger than the window is refused', async () => {
    const said = 'the quick brown fox jumps over the lazy dog. '.repeat(50);
    const count = 12;
    kit.model.script(...Array.from({ length: count }, (_, n) => text(`${n} ${said}`)));
    const run = await kit.start(chat, { input: null });
    for (let n = 0; n < count; n++) {
      if (n === 6) {
        const large = run.send(said.repeat(20), { id: 'large' });
        await expect(large).rejects.toMatchObject({ type: 'MessageTooLarge', data: { window: WINDOW } });
      }
      expect(await run.answerTo(await run.send(`Q${n} ${said}`))).toMatchObject({
        exchange: n + 1,
        reason: 'completed',
      });
    }
    for (const { body } of kit.model.requests) expect(tokensOf(body)).toBeLessThan(WINDOW);
    expect(JSON.stringify(kit.model.requests.at(-1)?.body.messages)).not.toContain('Q0 ');
    expect(await run.budget()).toMatchObject({ total: WINDOW, dropped: expect.any(Number) });
    expect(await run.transcript()).toHaveLength(2 * count);
    await run.regenerate();
    await run.close();
    await run.result().catch(() => undefined);
    await kit.replay(run);
  });

  it('a run reads fifteen times as much as fits, and no request exceeds the window', async () => {
    const rounds = Array.from({ length: ROUNDS }, (_, n) => ({ request }: { request: ChatRequest }) => ({
      ...call('fetch', { n }),
      usage: { prompt: tokensOf(request), completion: 20 },
    }));
    kit.model.script(...rounds, text('read it all'));
    const run = await kit.start(reader, { input: 'read' });
    expect((await run.result()).data).toBe('read it all');

    const bodies = kit.model.requests.map(({ body }) => body);
    expect(bodies).toHaveLength(ROUNDS + 1);
    for (const body of bodies) {
      expect(tokensOf(body)).toBeLessThanOrEqual(WINDOW - 1000);
      expect(body.messages.slice(0, 2).map(({ role, content }) => `${role}: ${content}`)).toEqual([
        'system: Read on.',
        'user: read',
      ]);
      const asked = body.messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
      const given = body.messages.flatMap(({ tool_call_id: id }) => id ?? []);
      expect(given).toEqual(asked);
    }
    expect(bodies.at(-1)?.messages.at(-1)?.content).toMatch(/^R29 /);
    expect(await run.transcript()).toHaveLength(2 + 2 * ROUNDS);

    const facts = await factsOf(run);
    const budgets = facts.flatMap((fact) => (fact.type === 'budget.context' ? [fact] : []));
    expect(budgets).toHaveLength(ROUNDS + 1);
    const pruned = facts.flatMap((fact) => (fact.type === 'context.trimmed' ? [fact] : []));
    expect(pruned.length).toBeGreaterThan(5);
    // Not at every turn, else the provider's cache would never apply.
    expect(pruned.length).toBeLessThan(ROUNDS - 5);
    expect(pruned.map(({ from }) => from)).toEqual([...pruned.map(({ from }) => from)].sort((a, b) => a - b));

    const { budget } = await run.state();
    expect(await run.budget()).toEqual(budget);
    expect(budget).toMatchObject({ turn: ROUNDS + 1, total: WINDOW, dropped: expect.any(Number) });
    await kit.replay(run);
  });

  it('learns the true window when the model refuses a call, and calls again with less', async () => {
    const refusal = fault({
      kind: 'status',
      status: 400,
      code: 'context_length_exceeded',
      message: "This model's maximum context length is 2500 tokens.",
    });
    const rounds = (count: number, first = 0) =>
      Array.from({ length: count }, (_, n) => call('fetch', { n: n + first }));
    kit.model.script(...rounds(4), refusal, ...rounds(4, 4), text('done'));
    const run = await kit.start(reader, { input: 'read' });
    expect((await run.result()).data).toBe('done');
    const state = await run.state();
    expect(state.budget?.total).toBe(2500);
    expect(state.turn).toBe(9);
    const [refused, again] = [4, 5].map((i) => kit.model.requests[i]?.body.messages.length ?? 0);
    expect(again).toBeLessThan(refused ?? 0);
    await kit.replay(run);
  });

  it('ends with ModelContextTooLong when the model refuses even what must be sent', async () => {
    const refusal = fault({ kind: 'status', status: 400, code: 'context_length_exceeded' });
    kit.model.script(call('fetch', { n: 0 }), call('fetch', { n: 1 }), ...Array.from({ length: 6 }, () => refusal));
    const run = await kit.start(reader, { input: 'read' });
    await expect(run.result()).rejects.toMatchObject({ type: 'ModelContextTooLong' });
    expect(kit.model.requests.length).toBeLessThanOrEqual(8);
    await kit.replay(run);
  });

  it('ends with ModelContextTooLong, without a model call, when one message exceeds the window', async () => {
    const run = await kit.start(reader, { input: 'fox '.repeat(4000) });
    await expect(run.result()).rejects.toMatchObject({
      type: 'ModelContextTooLong',
      message: expect.stringMatching(/message 0 has 4\d\d\d tokens/),
    });
    expect(kit.model.requests).toHaveLength(0);
    expect(await run.budget()).toBeNull();
  });
});

describe('without a known window', () => {
  let kit: AgentTestEnvironment;
  beforeAll(async () => {
    kit = await createAgentTestEnvironment({ agents: [reader] });
  });
  afterAll(() => kit.close());

  it('everything is sent until the model refuses, then what fits', async () => {
    const limited = ({ request }: { request: ChatRequest }) => {
      const asked = tokensOf(request);
      const message = `request (${asked} tokens) exceeds the available context size (3000 tokens), try increasing it`;
      return asked > 3000
        ? fault({ kind: 'status', status: 400, message })
        : { ...call('fetch', { n: request.messages.length }), usage: { prompt: asked, completion: 9 } };
    };
    kit.model.script(...Array.from({ length: 13 }, () => limited), text('done'));
    const run = await kit.start(reader, { input: 'read' });
    expect((await run.result()).data).toBe('done');
    const { budget, turn } = await run.state();
    expect(budget?.total).toBe(3000);
    // One of the requests was refused, no other.
    expect(turn).toBe(13);
    expect(await run.budget()).toMatchObject({ total: 3000 });
    const input = (await kit.history(run)).events
      ?.flatMap(({ activityTaskScheduledEventAttributes: it }) =>
        it?.activityType?.name === 'holdfast.callModel' ? it : [],
      )
      .map(({ input: payload }) => String(payload?.payloads?.[0]?.data));
    expect(input?.[0]).not.toContain('"memory"');
    expect(input?.at(-1)).toContain('"window":3000');
    await kit.replay(run);
  });
});
