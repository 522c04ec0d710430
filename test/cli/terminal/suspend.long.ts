import { defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { MAIN, RUN_TS } from '../../sources';
import { type Project, projectOf } from '../project';
import { Pty } from '../pty';

const CTRL_Z = '\x1a';

const pay = defineTool({
  description: 'Pay',
  inputSchema: z.object({ amount: z.number() }),
  approval: 'always',
  execute: ({ amount }) => `paid ${amount}`,
});
const desk = defineAgent({ name: 'shop.desk', mode: 'conversation' });
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
  kit.model.reset();
});
afterAll(async () => {
  await kit.close();
  project.remove();
});

function at(command: string, ...args: string[]): Pty {
  const env = { ...process.env, USER: 'ann', NO_COLOR: '1', TERM: 'xterm' };
  terminal = new Pty(command, args, { cwd: project.dir, env });
  return terminal;
}

/** Starts a command as `npx` does: with a process of its own in between, which the shell has to stop as well. */
async function inShell(...args: string[]): Promise<Pty> {
  const screen = at('bash', '--norc', '-i');
  screen.type("PS1='shell''> '\r", 0);
  await screen.sees('shell> ');
  screen.type(`sh -c '"$@"; exit $?' npx "${process.execPath}" ${[RUN_TS, MAIN, ...args].join(' ')}\r`, 0);
  return screen;
}

async function suspends(screen: Pty): Promise<void> {
  screen.type(CTRL_Z, 0);
  await screen.sees('Stopped');
  await screen.sees('shell> ');
  screen.type('echo the shell answers\r', 0);
  await screen.sees(/^the shell answers/m);
  await screen.sees('shell> ');
  screen.type('fg\r', 0);
}

test('Ctrl-Z in a chat gives the terminal back to the shell, and `fg` goes on with what was typed', async () => {
  kit.model.script(text('Hello!'), text('Bye.'));
  const screen = await inShell('chat', 'shop.desk', '--id', 'suspended');
  await screen.sees('›');
  screen.type('good mor', 5);
  await screen.sees('good mor');
  await suspends(screen);
  await screen.sees('›  good mor');
  screen.type('ning\r', 5);
  await screen.sees('●  good morning');
  await screen.sees('Hello!');
  await suspends(screen);
  await screen.sees('›');
  screen.type('and good night\r', 5);
  await screen.sees('Bye.');
});

test('after Ctrl-Z and `fg` the inbox asks again', async () => {
  kit.model.script(call('pay', { amount: 5 }), text('Paid.'));
  const run = await kit.client.start(task, { id: 'asked', input: 'Pay' });
  await run.waiting({ atLeast: { approvals: 1 } });
  const screen = await inShell('inbox');
  await screen.sees('look again');
  await suspends(screen);
  await screen.sees('look again');
  screen.type('\r', 0);
  await screen.sees('Type a, d, e, s or r, then Enter.');
  await suspends(screen);
  await screen.sees('Type a, d, e, s or r, then Enter.');
  screen.paste('x\r');
  await screen.sees('A text decides nothing.');
});

test('where no shell can continue it, Ctrl-Z does nothing', async () => {
  kit.model.script(text('Hello!'));
  const screen = at(process.execPath, RUN_TS, MAIN, 'chat', 'shop.desk', '--id', 'alone');
  await screen.sees('›');
  screen.type(CTRL_Z, 0);
  await screen.sees('›');
  // A terminal in its usual mode would show arrow keys as letters.
  screen.type('h', 90);
  await screen.sees('h');
  screen.paste('\x1b[D\x1b[C');
  screen.type('i\r', 90);
  await screen.sees('Hello!');
  expect(screen.written).not.toContain('^[');
});
