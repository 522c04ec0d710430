import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { COMMAND } from '../../agent/protocol/commands/command';
import { until } from '../until';

const input = z.object({ n: z.number() });
const slow: (() => void)[] = [];

/** A conversation that takes every kind of command. */
const agent = defineAgent({
  name: 'many.commands',
  mode: 'conversation',
  instructions: 'Help.',
  tools: {
    pay: defineTool({
      description: 'Looks',
      inputSchema: input,
      effect: 'read',
      approval: 'always',
      execute: ({ n }) => `seen ${n}`,
    }),
    put: defineTool({
      description: 'Puts',
      inputSchema: input,
      execute: ({ n }) => `put ${n}`,
      undo: () => new Promise<string>((resolve) => slow.push(() => resolve('taken out'))),
    }),
  },
  questions: { ask_number: { description: 'Asks for a number', answer: z.number() } },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  // The server's default limit of waiting updates.
  kit = await createAgentTestEnvironment({
    agents: [agent],
    server: 'dev',
    serverSettings: ['history.maxInFlightUpdates=10'],
  });
});
afterAll(() => kit.close());

test('25 commands at once are all settled within 5 s, also behind a slow undo', async () => {
  const put = (n: number): [string, { n: number }] => ['put', { n }];
  const pays = Array.from({ length: 6 }, (_, n): [string, { n: number }] => ['pay', { n }]);
  kit.model.script(calls(put(1), put(2)), text('stored'), calls(...pays, ['ask_number', { question: 'How many?' }]));
  const run = await kit.start(agent, { input: null });
  await run.answerTo(await run.send('store'));
  await run.send('pay');
  await Promise.all([run.waiting({ atLeast: { approvals: 6 } }), run.waiting({ atLeast: { questions: 1 } })]);

  const handle = kit.temporal.client.workflow.getHandle(run.id);
  const tell = (name: string, given: object) =>
    handle.executeUpdate(name, { args: [given] }).then(
      (verdict) => [name, 'taken', verdict],
      (error: { cause?: { type?: string } }) => [name, error.cause?.type],
    );
  // On a busy machine each takes longer, and commands that the server did not queue are sent again later.
  const first = performance.now();
  await tell(COMMAND.rename, { title: 'First' });
  const one = performance.now() - first;
  const began = performance.now();
  const settled = await Promise.all([
    tell(COMMAND.undo, { count: 1 }),
    tell(COMMAND.undo, { count: 1 }),
    ...[1, 2, 3].map((n) => tell(COMMAND.edit, { toolUseId: `t3.${n}`, by: 'ann', input: { n: n * 10 } })),
    tell(COMMAND.edit, { toolUseId: 't3.4', by: 'ann', input: { n: 'many' } }),
    tell(COMMAND.deny, { toolUseId: 't3.4', by: 'bob' }),
    tell(COMMAND.approve, { toolUseId: 't3.5', by: 'bob' }),
    tell(COMMAND.approve, { toolUseId: 't9.9', by: 'bob' }),
    tell(COMMAND.answer, { questionId: 't3.7', answer: 'many' }),
    tell(COMMAND.answer, { questionId: 't3.7', answer: 7 }),
    ...Array.from({ length: 6 }, (_, i) => tell(COMMAND.send, { text: `next ${i}`, id: `m${i}` })),
    ...Array.from({ length: 4 }, (_, i) => tell(COMMAND.steer, { text: `also ${i}`, id: `s${i}` })),
    tell(COMMAND.rename, { title: 'Payments' }),
    tell(COMMAND.retry, {}),
    tell(COMMAND.regenerate, {}),
    tell(COMMAND.undo, { count: 1 }),
  ]);
  const ms = performance.now() - began;
  expect(settled).toHaveLength(25);
  // In whichever order they arrived: two of the undos succeed, and one of the commands about t3.4. No one decides on
  // t3.6.
  const taken = settled.filter(([, how]) => how === 'taken').map(([name]) => String(name));
  expect(taken.sort()).toEqual([
    ...['answer', 'approve', 'deny', 'edit', 'edit', 'edit', 'rename'],
    ...Array.from({ length: 6 }, () => 'send'),
    ...Array.from({ length: 4 }, () => 'steer'),
    ...['undo', 'undo'],
  ]);
  const refused = settled.filter(([, how]) => how !== 'taken').map(([name, type]) => `${name} ${type}`);
  expect(refused.sort()).toEqual([
    expect.stringMatching(/^answer (InvalidReply|QuestionClosed)$/),
    'approve ApprovalNotFound',
    expect.stringMatching(/^edit (InvalidEdit|ApprovalDecided)$/),
    'regenerate NothingToRegenerate',
    'retry NothingToRetry',
    'undo NothingToUndo',
  ]);
  expect(ms).toBeLessThan(Math.max(5000, 200 * one));

  // Both requests were accepted long before an effect was undone.
  expect((await run.state()).undoable).toEqual([]);
  for (let done = 0; done < 2; done++) {
    await until(() => slow.length > 0, 'an inverse');
    slow.shift()?.();
  }
  for await (const fact of run.facts()) if (fact.type === 'undo.done' && fact.toolUseId === 't1.1') break;
  await run.cancel();
});
