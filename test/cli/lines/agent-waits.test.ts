import type { PendingApproval } from '../../../agent/approvals/approval';
import type { PendingQuestion } from '../../../agent/conversation/questions';
import type { Fact } from '../../../agent/protocol/facts/fact';
import { AgentWaits } from '../../../cli/lines/agent-waits';

const about = { seq: 1, time: 0, exchange: 1, turn: 1, toolUseId: 't1.1', name: 'billing' };
const called = (kind: 'agent' | 'signal'): Fact => ({ ...about, type: 'service.called', kind, ref: 'desk/t1.1' });
const child = { id: 'desk/t1.1', agent: 'billing.specialist', toolUseId: 't1.1' };
const call: PendingApproval = {
  ...child,
  ...{ tool: 'correct_invoice', input: { amount: 40 }, hash: 'h', deciders: ['role:finance'], requestedAt: 0 },
};
const question: PendingQuestion = {
  ...{ ...child, toolUseId: 't2.1', questionId: 't2.1' },
  ...{ tool: 'ask_question', question: 'Which account?', askedAt: 0 },
};

/** The lines about what waits, after two looks. */
async function told(...facts: readonly Fact[]): Promise<string[]> {
  const said: string[] = [];
  const waits = new AgentWaits(
    'desk',
    async () => [{ ...call, id: 'desk' }, call, question],
    (line) => said.push(line),
  );
  for (const fact of facts) waits.note(fact);
  await waits.look();
  await waits.look();
  return said;
}

it('says once what the agents that work for a run ask a person, with the command that answers', async () => {
  expect(await told(called('agent'))).toEqual([
    'asks  billing.specialist: t1.1 correct_invoice waits for role:finance: {"amount":40}',
    'wait  holdfast approve desk/t1.1 t1.1 --role finance',
    'asks  billing.specialist: t2.1 asks: Which account?',
    "wait  holdfast answer desk/t1.1 t2.1 '…'",
  ]);
});

it('asks nothing while no agent works for the run', async () => {
  expect(await told()).toEqual([]);
  expect(await told(called('signal'))).toEqual([]);
  expect(await told(called('agent'), { ...about, type: 'service.answered' })).toEqual([]);
});
