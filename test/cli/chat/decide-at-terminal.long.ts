import { setTimeout as delay } from 'node:timers/promises';
import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import type { RunHandle } from '../../../client/runs/run-handle';
import { newGate } from '../../gate';
import { MAIN, RUN_TS } from '../../sources';
import { until } from '../../until';
import { type Project, projectOf } from '../project';
import { Pty } from '../pty';

const SENTENCES = ['do not', 'stop it now', 'yes please', 'hello', 'at once'];
/** Milliseconds between two keys. */
const QUICK = 5;
const SLOW = 90;

const paid: number[] = [];
const pay = defineTool({
  description: 'Pay',
  inputSchema: z.object({ amount: z.number() }),
  approval: 'always',
  execute: ({ amount }) => `paid ${paid.push(amount)}`,
});
const desk = defineAgent({ name: 'shop.desk', mode: 'conversation', tools: { pay } });
const task = defineAgent({ name: 'shop.task', instructions: 'x', tools: { pay } });

let kit: AgentTestEnvironment;
let project: Project;
let terminal: Pty | undefined;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [desk, task], server: 'dev' });
  project = projectOf(kit);
});
afterEach(async () => {
  terminal?.kill();
  await terminal?.exit;
  paid.length = 0;
  kit.model.reset();
});
afterAll(async () => {
  await kit.close();
  project.remove();
});

function holdfast(...args: string[]): Pty {
  const env = { ...process.env, USER: 'ann', NO_COLOR: '1', TERM: 'xterm', EDITOR: 'sed -i s/5/7/', VISUAL: '' };
  terminal = new Pty(process.execPath, [RUN_TS, MAIN, ...args], { cwd: project.dir, env });
  return terminal;
}

/** Presses a key until it counts: the menu has to be visible for a while, and a slow machine draws it late. */
async function presses(screen: Pty, key: string, done: () => boolean | Promise<boolean>): Promise<void> {
  let pressed = 0;
  await until(async () => {
    if (await done()) return true;
    if (Date.now() - pressed > 2000) {
      screen.press(key);
      pressed = Date.now();
    }
    return false;
  }, `what ${key} does`);
}

const isOpen = async (run: Pick<RunHandle, 'waiting'>) => (await run.waiting()).approvals.length === 1;
const decisions = async (id: string) => {
  const found: string[] = [];
  const { facts } = await kit.client.get(id).state();
  for await (const fact of kit.client.get(id).facts()) {
    if (fact.type === 'approval.decided') found.push(`${fact.decision} ${fact.comment ?? ''}`.trim());
    if (fact.seq >= facts) break;
  }
  return found;
};

test('in a chat no text decides on a call, however and whenever it is typed: only a single key does', async () => {
  const { open: release, opened: held } = newGate();
  kit.model.script(
    async () => {
      await held;
      return call('pay', { amount: 5 });
    },
    text('Paid.'),
    call('pay', { amount: 5 }),
    text('Not paid.'),
    call('pay', { amount: 5 }),
    text('Edited.'),
    call('pay', { amount: 5 }),
    text('Later.'),
  );
  const screen = holdfast('chat', 'shop.desk', '--id', 'chat');
  await screen.sees('›');
  screen.type('pay\r', QUICK);
  const run = kit.client.get<unknown, 'conversation'>('chat');
  await kit.model.request(1);
  // The text is being typed when the menu is due. The menu waits until the line is empty.
  screen.type('do n', QUICK);
  release();
  await run.waiting({ atLeast: { approvals: 1 } });
  await screen.sees('May pay run? t1.1');
  screen.type('ot\r', SLOW);
  await screen.sees('●  do not');
  await screen.sees('Type a, d, e, s or r, then Enter.');
  for (const sentence of SENTENCES) {
    for (const gap of [QUICK, SLOW]) {
      screen.type(`${sentence}\r`, gap);
      await screen.sees(`●  ${sentence}`);
      await screen.sees('still waits for you');
    }
    screen.paste(`${sentence}\r`);
    await screen.sees(`●  ${sentence}`);
    await screen.sees('still waits for you');
  }
  for (const pasted of ['a\r', 'd\n', 'A\r']) {
    screen.paste(pasted);
    await screen.sees('did not count');
  }
  screen.type('\r', 0);
  await screen.sees('Enter alone decides nothing');
  // A pause after the first letter does not make it a decision.
  screen.type('a', 0);
  await delay(700);
  screen.type('t once\r', QUICK);
  await screen.sees('still waits for you');
  expect(await isOpen(run)).toBe(true);
  expect([await decisions('chat'), paid]).toEqual([[], []]);

  await presses(screen, 'a', async () => paid.length === 1);
  await run.answerTo({ exchange: 1 });

  await screen.sees('Paid.');
  screen.type('again\r', QUICK);
  await screen.sees(/Type a, d, e, s or r/);
  await presses(screen, 'd', () => screen.hasSeen('Why not?'));
  screen.type('too much\r', QUICK);
  await until(async () => (await decisions('chat')).length === 2, 'the denial');

  await screen.sees('Not paid.');
  screen.type('again\r', QUICK);
  await screen.sees(/Type a, d, e, s or r/);
  await presses(screen, 'e', () => screen.hasSeen('Type a, e or s'));
  expect(screen.hasSeen('"amount": 7')).toBe(true);
  await presses(screen, 'a', async () => paid.length === 2);

  await screen.sees('Edited.');
  screen.type('again\r', QUICK);
  await screen.sees(/Type a, d, e, s or r/);
  await presses(screen, 's', () => screen.hasSeen('/waiting asks again'));
  expect(await isOpen(run)).toBe(true);
  expect([await decisions('chat'), paid]).toEqual([
    ['approve', 'deny too much', 'edit'],
    [5, 7],
  ]);
  screen.type('/waiting\r', QUICK);
  await screen.sees(/Type a, d, e, s or r/);
});

test('in the inbox no text decides on a call either, nor do keys typed before a person can have read it', async () => {
  kit.model.script(call('pay', { amount: 5 }), text('Done.'));
  const run = await kit.start(task, { input: 'pay', id: 'task' });
  await run.waiting({ atLeast: { approvals: 1 } });
  const screen = holdfast('inbox', '--run', 'task');
  await screen.sees('One call waits');
  // All of it arrives before or just after the menu appears.
  screen.type('\ra\r', 40);
  await screen.sees('May pay run? t1.1');
  const isTold = () => screen.hasSeen('did not count') || screen.hasSeen('Enter alone');
  // On a busy machine all of it may come before the menu, and is dropped: then Enter shows that nothing is left of it.
  await until(isTold, 'a word about the keys', 5000).catch(() => presses(screen, '', isTold));
  for (const sentence of SENTENCES) {
    for (const gap of [QUICK, SLOW]) {
      screen.type(`${sentence}\r`, gap);
      await screen.sees('A text decides nothing');
    }
    screen.paste(`${sentence}\r`);
    await screen.sees('A text decides nothing');
  }
  for (const pasted of ['a\r', 'd\r']) {
    screen.paste(pasted);
    await screen.sees('did not count');
  }
  screen.type('\r', 0);
  await screen.sees('Enter alone decides nothing');
  expect(await isOpen(run)).toBe(true);
  expect([await decisions('task'), paid]).toEqual([[], []]);

  await presses(screen, 's', () => screen.hasSeen('One call waits'));
  screen.type('\r', 0);
  await screen.sees('May pay run? t1.1');
  await presses(screen, 'a', async () => paid.length === 1);
  await run.result();
  expect(await decisions('task')).toEqual(['approve']);
});
