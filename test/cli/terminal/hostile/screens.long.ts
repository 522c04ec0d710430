import { spawn } from 'node:child_process';
import { text as textOf } from 'node:stream/consumers';
import { MAIN, RUN_TS } from '../../../sources';
import { Pty } from '../../pty';
import { HostileStage } from './stage';
import { EVIL, expectPlain, FORGED, NAME } from './texts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences contain them
const OURS = /\x1b\[(?:[\d;]*m|\d*[A-DGJK]|\?25[hl]|\?2004[hl])/g;

let stage: HostileStage;
let terminal: Pty | undefined;
beforeAll(async () => {
  stage = await HostileStage.open();
});
afterAll(() => stage.close());
afterEach(async () => {
  terminal?.kill();
  await terminal?.exit;
  stage.kit.model.reset();
});

function holdfast(...args: string[]): Pty {
  const env = { ...process.env, USER: 'ann', TERM: 'xterm', EDITOR: '', VISUAL: '' };
  terminal = new Pty(process.execPath, [RUN_TS, MAIN, ...args], { cwd: stage.project.dir, env });
  return terminal;
}

/** The output to a terminal, without our own colours and cursor movements. */
function expectPlainScreen(screen: Pty): void {
  for (const sequence of ['\x1b[2J', '\x1b[5;31m', '\x1b]']) expect(screen.raw).not.toContain(sequence);
  const shown = screen.raw.replace(OURS, '').replaceAll(/\r+\n/g, '\n').replaceAll('\r', '');
  expect(shown).toMatch(/‹U\+202E›|\\u202e/);
  expectPlain(shown, 'texts');
  expect(shown.match(new RegExp(`^${FORGED}`, 'gm'))).toBeNull();
}

test('a worker that cannot start reports it on a terminal in plain lines', async () => {
  const worker = holdfast('worker', '--config', stage.brokenConfig());
  await worker.exit;
  expectPlainScreen(worker);
});

test('a chat in a pipe keeps texts of others apart from its own notes', async () => {
  stage.scriptTalk();
  const child = spawn(process.execPath, [RUN_TS, MAIN, 'chat', 'evil.desk', '--id', `piped-${NAME}`, '--by', NAME], {
    cwd: stage.project.dir,
  });
  const printed = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  child.stdin.end(`hello\n/rename ${EVIL}\n/${EVIL}\n`);
  const [out, err] = await printed;
  // A program gets the model's text unchanged.
  expect(out).toBe(`${NAME}\n`);
  expect(err).toContain('‹U+202E›');
  expectPlain(err);
});

test('a chat on a terminal passes on no control sequence of others, nor does the inbox', async () => {
  const id = `chat-${EVIL}`;
  await stage.waiting(id, EVIL);
  const chat = holdfast('chat', 'evil.desk', '--id', id);
  await chat.sees(/What is the answer[\s\S]*Type 1, 2/);
  chat.paste('/rename A‹title\r');
  await chat.sees('It is now called');
  chat.paste('/id\r');
  await chat.sees('holdfast chat');
  expectPlainScreen(chat);
  chat.kill();
  await chat.exit;

  const inbox = holdfast('inbox', '--run', id);
  await inbox.sees('call');
  inbox.paste('\r');
  await inbox.sees(/What is the answer[\s\S]*then Enter/);
  expectPlainScreen(inbox);
});
