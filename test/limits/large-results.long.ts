import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';

const KB = 1024;

const fetch = defineTool({
  description: 'Returns a large text',
  effect: 'read',
  inputSchema: z.object({ mark: z.string(), kb: z.number() }),
  execute: ({ mark, kb }) => `${mark}${'é'.repeat((kb * KB - mark.length) / 2)}`.padEnd(kb * KB, '.'),
});
const photograph = defineTool({
  description: 'Returns a large picture',
  effect: 'read',
  inputSchema: z.object({ kb: z.number() }),
  execute: ({ kb }) => ({ type: 'media', mediaType: 'image/png', data: 'A'.repeat(kb * KB) }),
});
const sleeper = defineTool({
  description: 'Never returns',
  effect: 'read',
  timeout: '1s',
  inputSchema: z.object({}),
  execute: () => new Promise<string>(() => undefined),
});
const patient = defineTool({
  description: 'Returns when the run is cancelled',
  effect: 'read',
  inputSchema: z.object({}),
  execute: (_input, { signal }) =>
    new Promise<string>((done) => signal.addEventListener('abort', () => done('stopped'))),
});
const payer = defineTool({
  description: 'Never returns, and must not run twice',
  timeout: '1s',
  inputSchema: z.object({ amount: z.number() }),
  execute: () => new Promise<string>(() => undefined),
});

const collector = defineAgent({
  name: 'limits.collector',
  instructions: 'Collect.',
  tools: { fetch, photograph, sleeper, patient, payer },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [collector], server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

/** The results that the model was sent, in the request with this number. */
async function resultsIn(number: number): Promise<string[]> {
  const { body } = await kit.model.request(number);
  return body.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
}

it('survives five tools of one batch that return 900 KB each, cuts them for the model and keeps them whole', async () => {
  const marks = ['a', 'b', 'c', 'd', 'e'];
  kit.model.script(
    calls(...marks.map((mark): ['fetch', { mark: string; kb: number }] => ['fetch', { mark, kb: 600 }])),
    text('got them'),
  );
  const run = await kit.start(collector, { input: 'collect' });
  expect((await run.result()).data).toBe('got them');

  const shown = await resultsIn(2);
  expect(shown.map((result) => result[0])).toEqual(marks);
  for (const result of shown) {
    expect(result.length).toBeLessThan(30_200);
    expect(result).toContain('[cut: the first 30000 of 614400 characters are shown]');
  }
  for (const [i, mark] of marks.entries()) {
    const [part] = (await run.toolResult(`t1.${i + 1}`)) ?? [];
    const whole = part?.type === 'text' ? part.text : '';
    expect(whole).toHaveLength(600 * KB);
    expect(Buffer.byteLength(whole)).toBeGreaterThan(900 * KB - 10);
    expect(whole.startsWith(mark)).toBe(true);
  }
  await kit.replay(run);
});

it('survives five pictures of 900 KB each in one batch, which the next call carries whole', async () => {
  kit.model.script(
    calls(...Array.from({ length: 5 }, (): ['photograph', { kb: number }] => ['photograph', { kb: 900 }])),
    call('photograph', { kb: 1 }),
    text('seen'),
  );
  const run = await kit.start(collector, { input: 'look' });
  expect((await run.result()).data).toBe('seen');
  const second = JSON.stringify((await kit.model.request(2)).body.messages);
  expect(second.length).toBeGreaterThan(5 * 900 * KB);
  const third = JSON.stringify((await kit.model.request(3)).body.messages);
  expect(third.length).toBeLessThan(10 * KB);
  await kit.replay(run);
});

it('returns its state in the middle of a batch that already has 4.5 MB of results', async () => {
  const pictures = Array.from({ length: 5 }, (): ['photograph', { kb: number }] => ['photograph', { kb: 900 }]);
  kit.model.script(calls(...pictures, ['patient']));
  const run = await kit.start(collector, { input: 'look' });
  let results = 0;
  for await (const fact of run.facts()) {
    if (fact.type === 'tool.result') results++;
    if (results === 5) break;
  }
  const { batch } = await run.state();
  expect(batch.map(({ name, status }) => `${name} ${status}`)).toEqual([
    ...pictures.map(() => 'photograph settled'),
    'patient open',
  ]);
  await run.cancel();
  await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
  expect(await run.transcript()).toHaveLength(8);
});

it('makes an error result of 10 MB, and goes on', async () => {
  kit.model.script(call('fetch', { mark: 'x', kb: 10 * KB }), text('then less'));
  const run = await kit.start(collector, { input: 'collect' });
  expect((await run.result()).data).toBe('then less');
  const [shown] = await resultsIn(2);
  expect(shown).toMatch(
    /^The result of `fetch` is \d+ bytes, more than the 1048576 that can be kept\. The tool did run\./,
  );
  expect(await factsOf(run)).toContainEqual(
    expect.objectContaining({ type: 'tool.error', error: expect.objectContaining({ type: 'ResultTooLarge' }) }),
  );
});

it('gives up a tool that never returns, tells the model, and goes on', async () => {
  kit.model.script(calls(['sleeper'], ['payer', { amount: 3 }]), call('payer', { amount: 3 }), text('gave up'));
  const run = await kit.start(collector, { input: 'wait' });
  expect((await run.result()).data).toBe('gave up');
  const shown = await resultsIn(2);
  expect(shown[0]).toBe('`sleeper` gave no result within 1 s.');
  expect(shown[1]).toContain('It is unknown whether `payer` took effect');
  expect((await resultsIn(3)).at(-1)).toContain('`payer` was not run');
  const errors = (await factsOf(run)).flatMap((fact) => (fact.type === 'tool.error' ? [fact.error.type] : []));
  // The first two settle at once, in any order.
  expect(errors.sort()).toEqual(['OutcomeUnknown', 'OutcomeUnknown', 'ToolTimedOut']);
});
