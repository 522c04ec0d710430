import { defineAgent, defineTool } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { waitForFact } from '../facts';

const ran: unknown[] = [];
const input = z.object({ amount: z.number() });
const pay = (name: string, approval: Parameters<typeof defineTool<typeof input, unknown>>[0]['approval']) =>
  defineTool({
    description: name,
    inputSchema: input,
    ...(approval === undefined ? {} : { approval }),
    execute: (args) => {
      ran.push([name, args.amount]);
      return `paid ${args.amount}`;
    },
  });

const agent = defineAgent({
  name: 'test.pay',
  tools: {
    refund: pay('refund', {
      when: (args: { amount: number }) => args.amount > 50,
      deciders: ['ann', 'role:finance'],
      rememberBy: (args: { amount: number }) => (args.amount > 1000 ? 'large' : 'small'),
    }),
    urgent: pay('urgent', { expires: '1d', onExpire: { escalate: ['boss'], expires: '2d' } }),
    strict: pay('strict', { expires: '1d', onExpire: 'fail' }),
    lax: pay('lax', { expires: '1d' }),
    always: pay('always', 'always'),
    free: pay('free', undefined),
  },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent] });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  ran.length = 0;
});

async function waiting(...steps: Parameters<AgentTestEnvironment['model']['script']>): Promise<RunHandle<string>> {
  kit.model.script(...steps);
  return kit.start(agent, { input: 'go' });
}

/** What the model was told as the result of a call. */
function told(nth = -1): string {
  return JSON.stringify(kit.model.requests.at(nth)?.body.messages);
}

test('a call waits for a person for 30 days, and runs once it is approved', async () => {
  const run = await waiting(call('refund', { amount: 90 }), text('done'));
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  expect(ask).toMatchObject({
    id: run.id,
    toolUseId: 't1.1',
    tool: 'refund',
    input: { amount: 90 },
    agent: 'test.pay',
  });
  await kit.skip('30d');
  expect(ran).toEqual([]);
  await run.approve(ask, { by: 'ann', comment: 'known customer' });
  expect((await run.result()).data).toBe('done');
  expect(ran).toEqual([['refund', 90]]);
  expect(told()).toContain('paid 90');
  await kit.replay(run);
});

test('a call below the limit of `when` needs no decision', async () => {
  const run = await waiting(call('refund', { amount: 10 }), text('done'));
  await run.result();
  expect(ran).toEqual([['refund', 10]]);
});

test('while one call waits, the other calls of its answer run', async () => {
  const run = await waiting(calls(['always', { amount: 1 }], ['free', { amount: 2 }]), text('done'));
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  await waitForFact(run, 'tool.result');
  expect(ran).toEqual([['free', 2]]);
  await run.deny(ask, { by: 'bob', reason: 'too much' });
  await run.result();
  expect(ran).toEqual([['free', 2]]);
  expect(told()).toContain('bob denied it: too much');
  await kit.replay(run);
});
