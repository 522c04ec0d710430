import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { defineAgent, defineContract, defineTool, signalService } from 'holdfast';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { visible } from '../../../agent/values/visible';
import { ChatStream } from '../../../cli/chat/stream';
import { devLines } from '../../../cli/dev';
import { DeltaLines } from '../../../cli/lines/delta-lines';
import { ChatStyle } from '../../../cli/terminal/style';
import { say } from '../../../runtime/print';
import { until } from '../../durability/until';
import { HOLDFAST, JITI, MAIN } from '../../sources';
import { holdfastAt, type Printed } from '../at-terminal';
import { Pty } from '../pty';
import { said } from '../said';

/** Clears the screen, blinks, sets the title, links, writes the clipboard; turns, hides, overwrites, deletes. */
const EVIL = [
  'evil\x1b[2J\x1b[5;31m\x1b]0;t\x07\x1b]8;;http://a\x1b\\\x1b]52;c;ZXZpbA==\x07',
  '\u009b31m\u009d0;t\u009c\x90q\x9c\u202e\u200b\u2066\u2069\ufeff\u00ad\u{e0041}\u{e0101}\u2028\x7f\b\x0c',
].join('');
/** What nobody has done. */
const FORGED = 'approved t9.9 by root';
/** A name that would begin a line of its own. */
const NAME = `${EVIL}\r\n${FORGED}\n${FORGED}\r.`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what terminals are steered by
const OURS = /\x1b\[(?:[\d;]*m|\d*[A-DGJK]|\?25[hl]|\?2004[hl])/g;

const evil = defineAgent({
  name: 'evil.desk',
  description: NAME,
  mode: 'conversation',
  tools: {
    read: defineTool({
      description: NAME,
      effect: 'read',
      input: z.object({ path: z.string() }),
      run: async (_, ctx) => {
        ctx.heartbeat({ progress: 1, message: NAME });
        return [
          { type: 'text', text: NAME },
          { type: 'media', mediaType: 'image/png', data: 'AAAA', name: NAME },
        ];
      },
    }),
    fail: defineTool({
      description: 'x',
      input: z.object({}),
      run: () => {
        throw new Error(NAME);
      },
    }),
    pay: defineTool({
      description: 'x',
      input: z.object({ to: z.string() }),
      approval: { deciders: ['ann', NAME] },
      undo: () => NAME,
      run: () => 'paid',
    }),
  },
  services: {
    carrier: signalService(
      defineContract({
        type: 'carrier.ask',
        description: 'x',
        versions: {
          '1.0.0': { accepts: z.object({ parcel: z.string() }), emits: { 'evt.carrier.ask.success': z.any() } },
        },
      }),
      '1.0.0',
    ),
  },
  loopTools: ['ask_question'],
  questions: {
    form: { description: 'x', answer: z.object({ [NAME]: z.string() }) },
  },
});
const task = defineAgent({ name: 'evil.task', instructions: 'x', limits: { maxOutputAttempts: 1 } });

let kit: AgentTestEnvironment;
let dir: string;
let config: string;
let terminal: Pty | undefined;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [evil, task], server: 'dev' });
  dir = mkdtempSync(join(tmpdir(), 'holdfast-hostile-'));
  config = join(dir, 'temporal.yaml');
  writeFileSync(
    config,
    [
      `temporal: {address: '${kit.temporal.connection.options.address}', taskQueue: ${kit.taskQueue}}`,
      'agents: agents.ts',
      `models: {default: {baseUrl: '${kit.model.url}', model: scripted}}`,
      `mcp: {bad: {command: '${process.execPath}', args: ['-e', 'console.error(Buffer.from(process.argv[1], "base64").toString()); process.exit(3)', '${Buffer.from(NAME).toString('base64')}']}}`,
    ].join('\n'),
  );
  writeFileSync(
    join(dir, 'agents.ts'),
    `import { defineAgent } from ${JSON.stringify(HOLDFAST)};
export const bad = defineAgent({ name: 'evil.bad', description: ${JSON.stringify(NAME)}, instructions: 'x', mcp: { bad: 'bad' } });`,
  );
});
afterAll(async () => {
  await kit.close();
  rmSync(dir, { recursive: true });
});
afterEach(async () => {
  terminal?.kill();
  await terminal?.exit;
  kit.model.reset();
});

/** Nothing in it steers a terminal or is hidden, and no line is forged. */
function expectPlain(what: string, forged: 'names' | 'texts' = 'names'): void {
  // What can hide: all controls but line feed and tab, and what no screen shows.
  expect(what.match(/[^\P{Cc}\n\t]|\p{Default_Ignorable_Code_Point}|[\u2028\u2029]|\p{Cs}/gu)).toBeNull();
  if (forged === 'names') expect(what.match(new RegExp(`^ {0,4}${FORGED}`, 'gm'))).toBeNull();
}

async function at(...args: string[]): Promise<Printed> {
  const [name = '', ...rest] = args;
  const printed = await holdfastAt('terminal', name, '--config', config, ...rest);
  expectPlain(printed.err);
  return printed;
}

/** A conversation in which everything that somebody else may write was written. */
async function talked(id: string): Promise<void> {
  kit.model.script(
    { text: NAME, reasoning: NAME, calls: calls(['read', { path: NAME }], ['fail', {}]).calls ?? [] },
    text(NAME),
  );
  const { run, taken } = await kit.client.send('evil.desk', NAME, { id, owner: NAME, by: NAME, messageId: 'm' });
  await run.answerTo(taken);
  await run.rename(NAME, { by: NAME });
}

async function waiting(id: string, owner = NAME): Promise<void> {
  kit.model.script(
    calls(
      ['pay', { to: NAME }],
      ['ask_question', { question: NAME, suggestions: [NAME, 'no'] }],
      ['carrier', { parcel: NAME }],
    ),
    text(NAME),
    text(NAME),
  );
  await kit.client.send('evil.desk', NAME, { id, owner, by: NAME });
  const run = kit.client.get(id);
  await until(
    async () => (await run.pending()).length + (await run.questions()).length + (await run.awaited()).length === 3,
    'three waits',
  );
}

test('every command that reads a run prints plain lines of it, whatever is in its id, title, owner and texts', async () => {
  const id = `read-${NAME}`;
  await talked(id);
  for (const args of [
    ['show', '--run', id],
    ['show', '--run', '--json', id],
    ['export', id],
    ['export', '--full', id],
    ['show', '--json', '--tool', 't1.1', id],
    ['runs', '--json'],
  ]) {
    const { code, out } = await at(...args);
    expect([args[0], code]).toEqual([args[0], 0]);
    expect(out).toMatch(/‹U\+001B›|\\u001b/);
    expectPlain(out);
  }
  // Whole texts have the lines that they have, below those that say whose they are.
  for (const args of [
    ['show', '--run', '--full', id],
    ['export', '--format', 'md', id],
    ['show', '--tool', 't1.1', id],
  ]) {
    const { code, out } = await at(...args);
    expect([args[0], code]).toEqual([args[0], 0]);
    expect(out).toContain('‹U+202E›');
    expectPlain(out, 'texts');
  }
  expect(await until(async () => (await at('runs')).out.includes('evil.desk'), 'the list')).toBeUndefined();
  expectPlain((await at('runs')).out);
  for (const args of [
    ['show', '--tool', `t1.1${NAME}`, id],
    ['show', '--run', `missing-${NAME}`],
    ['show', NAME],
    ['rename', id, NAME],
    ['rename', '--by', NAME, id, 'x', NAME],
    ['close', id],
    ['tail', id],
    ['tail', '--json', id],
    ['show', '--run', id],
    ['delete', id],
    ['delete', `missing-${NAME}`],
  ]) {
    const { out, err } = await at(...args);
    expect(out + err).not.toBe('');
    expectPlain(out);
  }
});

test('a file gets what is written down as it is, and so does a pipe', async () => {
  const id = `pipe-${NAME}`;
  await talked(id);
  const args = ['--config', config, id];
  const { out } = await holdfastAt('pipe', 'export', ...args);
  expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ role: 'user', content: NAME });
  expect((await holdfastAt('pipe', 'show', '--tool', 't1.1', ...args)).out).toBe(`${NAME}\n`);
  expect(JSON.parse((await holdfastAt('terminal', 'show', '--tool', 't1.1', '--json', ...args)).out)).toMatchObject([
    { text: NAME },
    { name: NAME },
  ]);
});

test('every command about what waits prints plain lines, and the ones that it offers can be copied', async () => {
  const id = `wait-${NAME}`;
  await waiting(id);
  const shown = await at('show', '--run', id);
  expectPlain(shown.out);
  expect(shown.out).toContain('\\U0000202e');
  const inbox = await at('inbox', '--json', '--run', id);
  expectPlain(inbox.out);
  expect(inbox.out.split('\n').map((line) => line && JSON.parse(line).id)).toEqual([id, id, '']);
  for (const args of [
    ['approve', '--by', `nobody${NAME}`, id, 't1.1'],
    ['approve', '--by', 'ann', id, `t7.7${NAME}`],
    ['edit', '--by', 'ann', '--input', `{${NAME}`, id, 't1.1'],
    ['edit', '--by', 'ann', '--input', `@${NAME.replaceAll('\0', '')}`, id, 't1.1'],
    ['deny', '--by', NAME, '--reason', NAME, '--remember', 'agent', id, 't1.1'],
    ['grants', 'evil.desk'],
    ['grants', '--json', 'evil.desk'],
    ['revoke', '--owner', NAME, '--key', NAME, 'evil.desk', 'pay'],
    ['revoke', `no.agent${NAME}`, NAME],
    ['answer', '--by', NAME, id, `t1.9${NAME}`, NAME],
    ['answer', '--by', NAME, id, 't1.2', NAME],
    ['complete', '--data', `{${NAME}`, id, 't1.3'],
    ['complete', '--error', NAME, id, 't1.3'],
    ['complete', '--error', NAME, id, `t1.3${NAME}`],
    ['inbox', '--run', `missing-${NAME}`],
    ['retry', `missing-${NAME}`],
  ]) {
    const { out, err } = await at(...args);
    expect([args, out + err]).not.toEqual([args, '']);
    expectPlain(out);
  }
});

test('a run that is started, and what it fails with, are plain lines too', async () => {
  kit.model.script(text(NAME));
  const done = await at('run', '--id', `run-${NAME}`, '--owner', NAME, 'evil.task', NAME);
  expect([done.code, done.out]).toEqual([0, expect.stringContaining('‹U+202E›')]);
  expectPlain(done.out, 'texts');
  kit.model.script(fault({ kind: 'status', status: 400, message: NAME }));
  const failed = await at('run', '--id', `failed-${NAME}`, 'evil.task', NAME);
  expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('‹U+202E›')]);
  kit.model.script(text(NAME));
  const json = await at('run', '--json', 'evil.task', NAME);
  expectPlain(json.out);
  expect(JSON.parse(json.out.trim().split('\n').at(-1) ?? '')).toMatchObject({ type: 'result', data: NAME });
  for (const args of [
    ['run', `no.agent${NAME}`, '{'],
    ['run', 'evil.task', `@${EVIL}`],
  ]) {
    expect((await at(...args)).err).toContain('‹U+202E›');
  }
});

test('what describes agents, servers and this machine is plain, and so is what cannot be read of a command', async () => {
  const shown = await at('show', 'evil.bad');
  expect(shown.err).toBe('');
  expect(shown.out).toContain('‹U+202E›');
  expectPlain(shown.out);
  for (const args of [['show', '--json', 'evil.bad'], ['doctor'], ['doctor', '--json']])
    expectPlain((await at(...args)).out);
  kit.model.script(fault({ kind: 'status', status: 400, message: NAME }));
  expectPlain((await at('doctor', '--models')).out);
  const broken = join(dir, `broken${EVIL.replaceAll('/', '')}.yaml`);
  writeFileSync(broken, `${JSON.stringify(NAME)}: 1\n`);
  for (const args of [
    [NAME],
    ['show', `--${NAME}`],
    ['dev', '--port', NAME],
    ['export', '--format', NAME, 'x'],
    ['rnu'],
    ['doctor', '--config', broken],
    ['runs', '--config', `${broken}${NAME}`],
    ['complete', NAME],
  ]) {
    const { out, err } = await holdfastAt('terminal', ...args);
    expect(out + err).not.toBe('');
    expectPlain(out + err);
  }
});

test('a worker that cannot start says so on a terminal in plain lines', async () => {
  const broken = join(dir, `broken${EVIL.replaceAll('/', '')}.yaml`);
  writeFileSync(broken, `${JSON.stringify(NAME)}: 1\n`);
  const worker = holdfast('worker', '--config', broken);
  await worker.exit;
  expectPlainScreen(worker);
});

test('what `dev` shows of its worker and its server is plain', async () => {
  const { out } = await said(async () => {
    const entry = JSON.stringify({ level: 'warn', msg: NAME, [NAME]: NAME });
    for (const type of ['worker.log', 'server.log'] as const)
      for (const line of [entry, NAME]) say(...devLines({ type, line }));
    return 0;
  });
  expect(out.split('\n')).toHaveLength(5);
  expectPlain(out);
});

test('a chat in a pipe keeps what was said by others apart from its own notes', async () => {
  kit.model.script(
    { text: NAME, reasoning: NAME, calls: calls(['read', { path: NAME }], ['fail', {}]).calls ?? [] },
    text(NAME),
  );
  const child = spawn(process.execPath, [JITI, MAIN, 'chat', 'evil.desk', '--id', `piped-${NAME}`, '--by', NAME], {
    cwd: dir,
  });
  const printed = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  child.stdin.end(`hello\n/rename ${EVIL}\n/${EVIL}\n`);
  const [out, err] = await printed;
  // What it gives to a program is what the model said.
  expect(out).toBe(`${NAME}\n`);
  expect(err).toContain('‹U+202E›');
  expectPlain(err);
});

test('a sequence that is cut over two deltas steers nothing', () => {
  const pieces = ['a\x1b', '[2Jb\r', '\nc\udb40', '\udc41d\x1b]52;c', ';x\x07e\u009b', '31mf\n'];
  const lines: string[] = [];
  const deltas = new DeltaLines((kind, line) => lines.push(`${kind} ${visible(line)}`));
  const stream = new ChatStream();
  const style = new ChatStyle(false);
  for (const text of pieces) {
    deltas.note({ type: 'stream.text', text } as never);
    stream.text(text);
    lines.push(...style.preview(stream.live ?? { tone: 'text', text: '' }, 80).map((row) => row.text));
  }
  expectPlain(lines.join('\n'));
  expect(lines.join('\n')).toContain('‹U+E0041›');
});

function holdfast(...args: string[]): Pty {
  const env = { ...process.env, USER: 'ann', TERM: 'xterm', EDITOR: '', VISUAL: '' };
  terminal = new Pty(process.execPath, [JITI, MAIN, ...args], { cwd: dir, env });
  return terminal;
}

/** What came to a terminal that our own colours and movements were taken out of. */
function expectPlainScreen(screen: Pty): void {
  for (const sequence of ['\x1b[2J', '\x1b[5;31m', '\x1b]']) expect(screen.raw).not.toContain(sequence);
  const shown = screen.raw.replace(OURS, '').replaceAll(/\r+\n/g, '\n').replaceAll('\r', '');
  expect(shown).toMatch(/‹U\+202E›|\\u202e/);
  expectPlain(shown, 'texts');
  expect(shown.match(new RegExp(`^${FORGED}`, 'gm'))).toBeNull();
}

test('a chat on a terminal paints nothing that somebody else wrote, nor does the inbox', async () => {
  const id = `chat-${EVIL}`;
  await waiting(id, EVIL);
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
