import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { support } from './agents';

let kit: AgentTestEnvironment;
before(async () => {
  kit = await createAgentTestEnvironment({ agents: [support] });
});
afterEach(() => kit.model.reset());
after(() => kit.close());

const input = { mail: 'My lamp (order A-17) arrived broken.' };

test('a refund waits until a person approves it', async () => {
  kit.model.script(call('find_order', { id: 'A-17' }), call('refund', { id: 'A-17', amount: 40 }), (turn) => {
    assert.equal(turn.request.messages.at(-1)?.content, '{"id":"A-17","refunded":40}');
    return text('{"reply":"You get 40 back."}');
  });
  const run = await kit.start(support, { input });
  const { approvals } = await run.waiting({ atLeast: { approvals: 1 } });
  const [approval] = approvals;
  assert.deepEqual(approval.input, { id: 'A-17', amount: 40 });
  await run.approve(approval, { by: 'ann' });
  assert.deepEqual((await run.result()).data, { reply: 'You get 40 back.' });
  kit.model.assertDone();
  await kit.replay(run);
});

test('the model is told when a person says no', async () => {
  kit.model.script(call('refund', { id: 'B-04', amount: 320 }), (turn) => {
    assert.match(String(turn.request.messages.at(-1)?.content), /the desk is fine/);
    return text('{"reply":"A colleague will write to you."}');
  });
  const run = await kit.start(support, { input });
  const { approvals } = await run.waiting({ atLeast: { approvals: 1 } });
  await run.deny(approvals[0], { by: 'ann', reason: 'the desk is fine' });
  assert.deepEqual((await run.result()).data, { reply: 'A colleague will write to you.' });
});
