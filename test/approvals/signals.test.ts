import { defineAgent } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { calls, text } from 'holdfast/testing';
import { factsOf } from '../facts';
import { openDesk, paid, pay } from './desk';

const agent = defineAgent({
  name: 'test.signals',
  instructions: 'pay',
  tools: { always: pay('always', 'always'), refund: pay('refund', { deciders: ['ann'] }) },
});
const desk = openDesk({ agents: [agent] });

async function waiting(): Promise<RunHandle<string>> {
  const three = calls(['always', { amount: 1 }], ['always', { amount: 2 }], ['refund', { amount: 3 }]);
  const run = await desk.start(agent, [three, text('done')]);
  await run.waiting({ atLeast: { approvals: 3 } });
  return run;
}

/** A handle of Temporal's own client. */
const plain = (run: RunHandle<string>) => desk.kit.temporal.client.workflow.getHandle(run.id);

test('a plain Temporal client decides by signals', async () => {
  const run = await waiting();
  const handle = plain(run);
  await handle.signal('approve', { toolUseId: 't1.1', by: 'ann', comment: 'fine' });
  await handle.signal('deny', { toolUseId: 't1.2', by: 'bob', reason: 'too much' });
  await handle.signal('edit', { toolUseId: 't1.3', by: 'ann', input: { amount: 30 } });
  expect(await desk.end(run)).toBe('done');
  expect(paid).toEqual([
    ['always', 1],
    ['refund', 30],
  ]);
  expect(desk.told()).toContain('bob denied it: too much');
  expect(await factsOf(run, 'approval.decided')).toMatchObject([
    { toolUseId: 't1.1', decision: 'approve', by: 'ann', comment: 'fine' },
    { toolUseId: 't1.2', decision: 'deny', by: 'bob', comment: 'too much' },
    { toolUseId: 't1.3', decision: 'edit', by: 'ann', input: { amount: 30 } },
  ]);
  expect((await run.state()).ignored).toEqual({});
});

const huge = 'x'.repeat(300_000);

test('invalid signals are counted and recorded, and the run goes on waiting', async () => {
  const run = await waiting();
  const handle = plain(run);
  await handle.signal('approve', { toolUseId: 't1.1', by: 'ann' });
  const wrong: [string, ...unknown[]][] = [
    ['approve'],
    ['approve', null],
    ['approve', 'yes'],
    ['deny', ['t1.2']],
    ['deny', 7],
    ['approve', { toolUseId: 't1.2' }],
    ['approve', { toolUseId: { $ne: 1 }, by: 'ann' }],
    ['approve', { toolUseId: 't1.2', by: 'ann', comment: huge }],
    ['approve', { toolUseId: 't1.2', by: huge }],
    ['approve', { toolUseId: huge, by: 'ann' }],
    ['approve', { [huge]: 1 }],
    ['edit', { toolUseId: 't1.2', by: 'ann', input: { amount: 1, note: huge } }],
    ['approve', { toolUseId: 't1.2', by: 'ann', decision: 'approve' }],
    ['approve', Buffer.from('approve t1.2')],
    ['approve', { toolUseId: 't1.9', by: 'ann' }],
    ['deny', { toolUseId: '__proto__', by: 'ann' }],
    ['deny', { toolUseId: 't1.1', by: 'bob' }],
    ['approve', { toolUseId: 't1.2', by: 'ann', hash: 'other' }],
    ['approve', { toolUseId: 't1.3', by: 'bob' }],
    ['edit', { toolUseId: 't1.2', by: 'ann', input: { amount: 'many' } }],
  ];
  for (const [name, ...args] of wrong) await handle.signal(name, ...args);
  await run.deny({ toolUseId: 't1.2' }, { by: 'bob' });
  await run.deny({ toolUseId: 't1.3' }, { by: 'ann' });
  expect(await desk.end(run)).toBe('done');
  const { ignored } = await run.state();
  expect(ignored).toEqual({
    InvalidDecision: 14,
    ApprovalNotFound: 2,
    ApprovalDecided: 1,
    ApprovalMismatch: 1,
    NotADecider: 1,
    InvalidEdit: 1,
  });
  const facts = await factsOf(run, 'message.ignored');
  expect(facts).toHaveLength(20);
  expect(facts.at(-1)).toMatchObject({
    why: 'InvalidEdit',
    toolUseId: 't1.2',
    detail: expect.stringMatching(/amount/),
  });
  for (const { detail = '', toolUseId = '' } of facts) expect(detail.length + toolUseId.length).toBeLessThan(700);
  expect(paid).toEqual([['always', 1]]);
});
