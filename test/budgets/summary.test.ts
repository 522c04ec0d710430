import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { checkReferences } from '../../workers/check-references';
import { callsOf, fetch, readPages } from '../context-window/pages';
import { asksForSummary, tokensOf } from '../context-window/tokens';
import { factsOf } from '../facts';
import type { ChatRequest } from '../kit/model-reply';
import { agent, money } from './stage/stage';

const about = {
  instructions: 'Read on.',
  tools: { fetch },
  limits: { maxToolInteractions: 60 },
  context: { strategy: 'summarise' },
} as const;
const rich = defineAgent({ name: 'paid.rich', ...about, budget: { tokens: 1_000_000, modelCalls: 100 } });
/** The run has read six pages when a summary is due, and then has tokens for one more call and a conclusion. */
const POOR = 23_000;
const poor = defineAgent({ name: 'paid.poor', ...about, budget: { tokens: POOR } });
const rounds = 20;

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [rich, poor], contextWindow: 8000 });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const summary = (request: ChatRequest) => ({
  ...text('SUMMARY'),
  usage: { prompt: tokensOf(request), completion: 10 },
});

it('a summary is paid for from the budget, as a model call', async () => {
  readPages(kit, { rounds, summary });
  const run = await kit.start(rich, { input: 'read' });
  expect((await run.result()).data).toBe('read it all');
  const bodies = kit.model.requests.map(({ body }) => body);
  const written = bodies.filter(asksForSummary).length;
  expect(written).toBeGreaterThan(0);
  const prompts = bodies.reduce((sum, body) => sum + tokensOf(body), 0);
  const { budgets } = await run.state();
  expect(budgets?.run).toMatchObject({
    tokens: { spent: prompts + 20 * (bodies.length - written - 1) + 20 + 10 * written, reserved: 0 },
    modelCalls: { spent: bodies.length, reserved: 0 },
  });
  await kit.replay(run);
});

it('a summary that would leave too little is not written: the run goes on without it, and keeps its budget', async () => {
  const before = (request: ChatRequest) =>
    request.tool_choice === 'none'
      ? { ...text('so far'), usage: { prompt: tokensOf(request), completion: 10 } }
      : undefined;
  readPages(kit, { rounds, summary, before });
  const run = await kit.start(poor, { input: 'read' });
  expect(await run.result()).toMatchObject({ data: 'so far', stoppedBy: { scope: 'run', kind: 'tokens' } });
  expect(callsOf(kit)).toHaveLength(kit.model.requests.length);
  const [failed] = await factsOf(run, 'context.summary.failed');
  expect(failed?.error).toEqual({
    type: 'BudgetExhausted',
    message: expect.stringMatching(
      /^A summary, the next call and a conclusion may need \d+ tokens, and \d+ tokens are left in the budget$/,
    ),
  });
  const { usage, turn } = await run.state();
  expect(turn).toBeGreaterThan(failed?.turn ?? Infinity);
  expect(usage.prompt + usage.completion).toBeLessThanOrEqual(POOR);
  await kit.replay(run);
});

it('a budget in money needs a price of the model that writes summaries', () => {
  const config = { baseUrl: 'http://127.0.0.1:9', model: 'm' };
  const models = { default: { ...config, prices: { prompt: 1, completion: 1 } }, free: config };
  const paid = agent('writer', { context: { strategy: 'summarise', model: 'free' }, budget: { cost: money(1) } });
  expect(() => checkReferences([paid], { models, mcp: {}, outlets: {} })).toThrow(
    'The model `free` has no prices, so a budget in USD cannot be kept',
  );
});
