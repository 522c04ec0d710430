import { defineAgent, defineTool, type Fact, type HoldfastError } from 'holdfast';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';

const seen: unknown[] = [];
const lookup = defineTool({
  description: 'Find an order',
  effect: 'read',
  inputSchema: z.object({ id: z.string() }),
  execute: ({ id }, ctx) => {
    seen.push({ id, owner: ctx.owner, metadata: ctx.metadata, toolUseId: ctx.toolUseId, key: ctx.idempotencyKey });
    return { order: id, paid: 20 };
  },
});
const broken = defineTool({
  description: 'Always fails',
  effect: 'read',
  inputSchema: z.object({}),
  execute: () => {
    throw new Error('the printer is on fire');
  },
});
const urgent = defineTool({
  description: 'First',
  effect: 'read',
  priority: 2,
  inputSchema: z.object({}),
  execute: () => 'first',
});

const triage = defineAgent({
  name: 'support.triage',
  instructions: 'Sort support mail.',
  inputSchema: z.object({ mail: z.string() }),
  outputSchema: z.object({ queue: z.enum(['billing', 'tech']) }),
  tools: { lookup, broken, urgent },
  limits: { maxToolInteractions: 3 },
});
const writer = defineAgent({ name: 'notes.writer', instructions: 'Write.' });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [triage, writer] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const billing = text('{"queue":"billing"}');

it.each([
  ['Where is "it"?', 'Where is "it"?'],
  [42, '42'],
  [{ mail: 'hi' }, '{"mail":"hi"}'],
  // Providers refuse a message without text.
  ['', '""'],
])('sends the input %j to the model as %s', async (input, content) => {
  kit.model.script((turn) => {
    expect(turn.request.messages.at(-1)).toEqual({ role: 'user', content });
    return text('done');
  });
  await (await kit.start(writer, { input })).result();
});

it('runs a tool, hands its result to the model, and gives the validated output', async () => {
  kit.model.script(call('lookup', { id: 'o1' }), (turn) => {
    expect(turn.request.messages.map((m) => m.role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(turn.request.messages.at(-1)?.content).toBe('{"order":"o1","paid":20}');
    return billing;
  });
  const run = await kit.start(triage, { input: { mail: 'paid twice' }, owner: 'u1', metadata: { ticket: 17 } });
  const { data, usage, executionUnits, messages } = await run.result({ history: true });
  expect(data).toEqual({ queue: 'billing' });
  expect(usage.prompt).toBeGreaterThan(0);
  expect(executionUnits).toBe(usage.prompt + usage.completion);
  expect(messages.map((m) => m.role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect(messages.at(-1)?.parts).toEqual([{ type: 'text', text: '{"queue":"billing"}' }]);
  expect(seen.at(-1)).toMatchObject({ id: 'o1', owner: 'u1', metadata: { ticket: 17 }, toolUseId: 't1.1' });
  expect((seen.at(-1) as { key: string }).key).toMatch(/^[0-9a-f-]{36}\/[0-9a-f]{32}\/t1\.1$/);
  kit.model.assertDone();
  await kit.replay(run);
});

it('tells facts in order, without gaps, and again after the end', async () => {
  kit.model.script(calls(['lookup', { id: 'a' }], ['broken', {}]), billing);
  const run = await kit.start(triage, { input: { mail: 'x' } });
  await run.result();
  const facts = await factsOf(run);
  expect(facts.map((f) => f.seq)).toEqual(facts.map((_, i) => i + 1));
  const types = facts.map((f) => f.type);
  expect(types[0]).toBe('loop.start');
  expect(types.at(-1)).toBe('loop.end');
  expect(types.filter((t) => t === 'tool.call')).toHaveLength(2);
  expect(facts.find((f) => f.type === 'tool.error')).toMatchObject({
    error: { message: expect.stringContaining('on fire') },
  });
  const rest: Fact[] = [];
  for await (const fact of run.facts({ after: 5 })) rest.push(fact);
  expect(rest).toEqual(facts.slice(5));
});

it('drops calls of lower priority without a message and says so in a fact', async () => {
  kit.model.script(calls(['lookup', { id: 'a' }], ['urgent', {}]), billing);
  const run = await kit.start(triage, { input: { mail: 'x' } });
  const { messages } = await run.result({ history: true });
  const uses = messages.flatMap((m) => m.parts.filter((p) => p.type === 'tool_use'));
  expect(uses.map((u) => u.type === 'tool_use' && u.name)).toEqual(['urgent']);
  expect((await factsOf(run)).find((f) => f.type === 'tool.dropped')).toMatchObject({ name: 'lookup' });
});

it('feeds unknown tools, wrong arguments and broken JSON back to the model', async () => {
  kit.model.script(calls(['lokup', { id: 'a' }], ['lookup', { id: 7 }], ['lookup', '{{{']), (turn) => {
    const results = turn.request.messages.filter((m) => m.role === 'tool').map((m) => String(m.content));
    expect(results[0]).toContain('no tool named `lokup`');
    expect(results[0]).toContain('lookup');
    expect(results[1]).toContain('id');
    return billing;
  });
  const run = await kit.start(triage, { input: { mail: 'x' } });
  expect((await run.result()).data).toEqual({ queue: 'billing' });
});

it('sends an invalid output back and takes the corrected one', async () => {
  kit.model.script(text('{"queue":"sales"}'), (turn) => {
    expect(turn.request.messages.at(-1)?.content).toContain('queue');
    return billing;
  });
  const run = await kit.start(triage, { input: { mail: 'x' } });
  expect((await run.result()).data).toEqual({ queue: 'billing' });
  expect((await run.state()).toolInteractions).toEqual({ current: 2, max: 3 });
});

it('makes one last call without tools when the quota is used up', async () => {
  const again = call('lookup', { id: 'a' });
  kit.model.script(again, again, again, (turn) => {
    expect(turn.request.tool_choice).toBe('none');
    expect(turn.request.tools?.length).toBe(3);
    expect(turn.request.messages.at(-1)?.content).toContain('limit');
    return billing;
  });
  const run = await kit.start(triage, { input: { mail: 'x' } });
  expect((await run.result()).data).toEqual({ queue: 'billing' });
  expect((await run.state()).toolInteractions.current).toBe(3);
});

it('fails with ToolQuotaExhausted when the last call gives no valid output, transcript readable', async () => {
  const again = call('lookup', { id: 'a' });
  kit.model.script(again, again, again, again);
  const run = await kit.start(triage, { input: { mail: 'x' } });
  const error = (await run.result().catch((e: unknown) => e)) as HoldfastError;
  expect(error).toMatchObject({ name: 'HoldfastError', type: 'ToolQuotaExhausted', data: { max: 3 } });
  expect(error.message).toContain('Tool calls exhausted max quota');
  expect((await run.transcript()).length).toBeGreaterThan(6);
  expect((await factsOf(run)).at(-1)).toMatchObject({ type: 'loop.end', reason: 'failed' });
  await kit.replay(run);
});

it('gives the text of the answer when the agent has no output schema', async () => {
  kit.model.script(text(''), text('A note.'));
  const run = await kit.start(writer, { input: 'write' });
  expect((await run.result()).data).toBe('A note.');
});

it('checks the input in the client if that has the schema, and in the run otherwise', async () => {
  const wrong = { mail: 7 } as unknown as { mail: string };
  await expect(kit.start(triage, { input: wrong })).rejects.toMatchObject({ type: 'InvalidInput' });
  const run = await kit.start('support.triage', { input: wrong });
  const error = (await run.result().catch((e: unknown) => e)) as HoldfastError;
  expect(error).toMatchObject({ type: 'InvalidInput', message: expect.stringContaining('mail') });
  expect(kit.model.requests).toHaveLength(0);
});

it('attaches to a run with the same id and input, even after its end, and refuses another input', async () => {
  kit.model.script(billing);
  const options = { id: 'mail-17', input: { mail: 'x' } };
  const first = await kit.start(triage, options);
  const second = await kit.start(triage, options);
  expect((await second.result()).data).toEqual((await first.result()).data);
  expect((await (await kit.start(triage, options)).result()).data).toEqual({ queue: 'billing' });
  await expect(kit.start(triage, { id: 'mail-17', input: { mail: 'y' } })).rejects.toMatchObject({ type: 'IdInUse' });
  await expect(kit.start(writer, { id: 'mail-17', input: { mail: 'x' } })).rejects.toMatchObject({ type: 'IdInUse' });
});
