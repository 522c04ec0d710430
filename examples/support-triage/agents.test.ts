import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, type ScriptTurn, text } from 'holdfast/testing';
import { follow } from '../show/follow';
import { lineOf } from '../show/line-of';
import { billing, desk, tech } from './agents';
import { play } from './model';
import { decide } from './people';

const finance = { by: 'ann', roles: ['finance'] };
const input = { mail: 'A-17 was charged twice! And since Monday the lamp does not turn on.' };

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [desk, billing, tech] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

it('runs as the README shows: both specialists wait for a person at once, then the refund does', async () => {
  kit.model.script(...Array.from({ length: 7 }, () => (turn: ScriptTurn) => play(turn.request)));
  const run = await kit.start(desk, { input });
  const both = (await run.waiting({ atLeast: { approvals: 2 } })).approvals;
  expect(both.map(({ agent, tool }) => [agent, tool]).sort()).toEqual([
    ['billing.specialist', 'correct_invoice'],
    ['tech.specialist', 'send_replacement'],
  ]);
  const readme = readFileSync(join(__dirname, 'README.md'), 'utf8');
  const asked: string[] = [];
  await follow(kit.client, 'desk', run.id, async (who, fact, asking) => {
    const line = lineOf(who, fact);
    if (line !== undefined) expect(readme).toContain(line);
    if (fact.type !== 'approval.requested') return;
    asked.push(fact.name);
    await decide(asking, fact);
  });
  expect(asked.sort()).toEqual(['correct_invoice', 'refund', 'send_replacement']);
  expect((await run.result()).data.reply).toContain('You get 80 back');
  kit.model.assertDone();
  await kit.replay(run);
});

it('refunds 50 without an approval', async () => {
  kit.model.script(call('refund', { order: 'A-17', amount: 50 }), text('{"reply":"You get 50 back."}'));
  const run = await kit.start(desk, { input });
  await run.result();
  expect(JSON.stringify(await run.transcript())).toContain('refunded');
});

it('lets only finance decide, and refunds nothing without a decision within three days', async () => {
  kit.model.script(call('refund', { order: 'A-17', amount: 51 }), ({ request }) => {
    expect(request.messages.at(-1)?.content).toContain('it was not approved in time');
    return text('{"reply":"A colleague will write to you."}');
  });
  const run = await kit.start(desk, { input });
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  await expect(run.approve(ask, { by: 'tom', roles: ['workshop'] })).rejects.toMatchObject({ type: 'NotADecider' });
  await kit.skip('4d');
  await run.result();
  await expect(run.approve(ask, finance)).rejects.toMatchObject({ type: 'RunEnded' });
});
