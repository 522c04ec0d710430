import { defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';
import { isBroken, viewAgent } from '../../../../cli/show/agent/agent';
import { agentLines } from '../../../../cli/show/agent/agent-lines';
import { type Config, loadConfig } from '../../../../runtime/config/config';

const add = defineTool({ description: 'Add', inputSchema: z.object({ a: z.number() }), execute: ({ a }) => a });

let config: Config;
beforeAll(async () => {
  const model = { model: 'm-1', baseUrl: 'http://127.0.0.1:1/v1' };
  const prices = { prompt: 0.4, completion: 2, currency: 'USD' };
  config = {
    ...(await loadConfig({ cwd: '/', env: {} })),
    models: { default: { ...model, prices, contextWindow: 32_000 }, big: { ...model, prices, patience: 7_200_000 } },
  };
});

/** A stranger reads here what decides about a run, without the code of the agent. */
it('shows budget, plan, waits, prices, and what a task takes and gives', async () => {
  const agent = defineAgent({
    name: 'test.planner',
    instructions: 'x',
    model: ['default', 'big'],
    models: { planner: 'big', summary: 'gone' },
    strategy: { type: 'plan', approval: { expires: '2h' }, stepTools: 9 },
    budget: { tokens: 10_000, cost: { amount: 2, currency: 'USD' }, time: '90s', deadline: '3d', soft: 0.5 },
    context: { strategy: 'summarise', keep: 4 },
    limits: { startPatience: '1m' },
    inputSchema: z.object({ mail: z.string(), urgent: z.boolean().optional() }),
    outputSchema: z.object({ queue: z.enum(['a', 'b']) }),
    files: { root: 'docs' },
    tools: { add },
  });
  const view = await viewAgent(agent, { ...config, models: { ...config.models } });
  const lines = agentLines(view).map((line) => line.replace(/ {2,}/g, '  '));
  for (const line of [
    'planner  big  m-1 at http://127.0.0.1:1/v1 (chat)  a million tokens cost at most 0.4 USD (prompt) and 2 USD (completion)',
    'summary  gone  ✗ not under `models` in temporal.yaml',
    'takes  {"mail":"…"}',
    'gives  {"queue":"a"}',
    'plan  made first; each step picks from 9 tools',
    'budget  10,000 tokens, 2 USD, 90 s of work, 3 d from the start; the model is told at 50 %',
    'waits  2 min (default), 2 h (big) for a model that does not answer, 60 s for MCP servers and builders that fail',
    'window  32,000 tokens; when it fills, old messages are summarised by gone; the newest 4 stay',
    'files  in docs',
    'follow_plan  shows the plan to a person',
  ]) {
    expect(lines).toContain(line);
  }
  // Its runs would fail when they need a summary.
  expect(isBroken(view)).toBe(true);
  expect(view.tools.map(({ name }) => name)).not.toContain('follow_plan');
});

it('shows how long a conversation, and each question, waits', async () => {
  const agent = defineAgent({
    name: 'test.talker',
    mode: 'conversation',
    idle: '3d',
    loopTools: ['ask_question', 'converse', 'task_completion'],
    questions: { ask_question: { expires: '1h', onExpire: 'fail' }, converse: { expires: '90s' } },
    budget: { perExchange: { modelCalls: 3 } },
  });
  const view = await viewAgent(agent, config);
  const lines = agentLines(view).map((line) => line.replace(/ {2,}/g, '  '));
  for (const line of [
    'mode  conversation, which ends 3 d after the last message',
    'answer  only by `task_completion`: a plain text does not count',
    'budget  each exchange: 3 model calls; the model is told at 80 %',
    'ask_question  asks a person  60 min, else the run fails',
    'converse  says something to the person, who replies  90 s, else the model is told',
    'task_completion  gives the answer',
  ]) {
    expect(lines).toContain(line);
  }
  // They have no attempts, heartbeats and times of their own.
  expect(view.tools).toEqual([]);
  expect(lines).not.toContain('It has no tools.');
});
