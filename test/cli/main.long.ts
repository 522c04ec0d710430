import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedModel, text } from 'holdfast/testing';
import type { Finding } from '../../cli/doctor/finding';
import { freePort } from '../../runtime/process/ports';
import { closeAfterTest } from '../close-after-test';
import { HOLDFAST, MAIN, RUN_TS } from '../sources';

let dir: string;
let env: NodeJS.ProcessEnv;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-cli-'));
  env = { ...process.env, TEMPORAL_ADDRESS: `127.0.0.1:${await freePort('127.0.0.1')}` };
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Runs the command line as a user does, in an empty folder. */
function holdfast(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [RUN_TS, MAIN, ...args], { cwd: dir, env }, (error, out, err) =>
      done({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

const AGENTS = `import { defineAgent } from ${JSON.stringify(HOLDFAST)};
export const triage = defineAgent({ name: 'support.triage', instructions: 'x', mcp: { files: 'files' } });`;

const MODELS = "models: {default: {baseUrl: 'http://127.0.0.1:9/v1', model: m}}";

describe('the command line', () => {
  it('has help and a version, and refuses unknown arguments in one line', async () => {
    expect(await holdfast('--version')).toMatchObject({ code: 0, out: '0.1.0\n' });
    const help = await holdfast('--help');
    expect(await holdfast()).toEqual(help);
    for (const command of ['dev', 'worker', 'run', 'doctor']) expect(help.out).toContain(`  ${command} [options]`);
    expect(await holdfast('rnu')).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean run?') });
    expect(await holdfast('dev', '--nope')).toMatchObject({ code: 2, err: "error: unknown option '--nope'\n" });
    expect(await holdfast('run', 'support.triage', 'where', 'is', 'it')).toMatchObject({
      code: 2,
      err: "error: too many arguments for 'run'. Expected 2 arguments but got 4. Put a text of several words into quotes.\n",
    });
    expect(await holdfast('approve', 'mail-17')).toMatchObject({
      code: 2,
      err: `error: missing required argument 'call'. \`TEMPORAL_ADDRESS=${env.TEMPORAL_ADDRESS} holdfast inbox\` lists the calls that wait.\n`,
    });
    expect(await holdfast('dev', '--port', 'x')).toMatchObject({ code: 2, err: expect.stringContaining('0 to 65535') });
  });

  it('waits for a server for some seconds, and then says in one line that none answers', async () => {
    const { code, out, err } = await holdfast('run', 'support.triage', '{}');
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(
      /^wait .*\nNo Temporal server answers at 127\.0\.0\.1:\d+ \(.*TLS\): connection refused, .*\. .*\n$/,
    );
  });

  it('answers a wrong name of an agent at once, without a server', async () => {
    writeFileSync(join(dir, 'agents.ts'), `console.log('loaded');\n${AGENTS}`);
    const config = join(dir, 'other.yaml');
    writeFileSync(config, 'agents: agents.ts\n');
    const refusal = `No agent of ${config} is named \`support.triag\`; did you mean \`support.triage\`?\n`;
    // What a module prints while it loads is not output of the command.
    const refused = { code: 2, out: '', err: `loaded\n${refusal}` };
    expect(await holdfast('--config', config, 'run', 'support.triag', '{}')).toEqual(refused);
    expect(await holdfast('run', '--config', config, 'support.triag', '{}')).toEqual(refused);
  });

  it('says which module ends the process while it loads', async () => {
    writeFileSync(join(dir, 'leaves.ts'), `${AGENTS}\nprocess.exit(0);\n`);
    writeFileSync(join(dir, 'temporal.yaml'), 'agents: leaves.ts\n');
    const problem = 'it ends the process, with exit code 0: remove the call of `process.exit`';
    for (const command of [['show', 'support.triage'], ['worker'], ['dev', '--port', '0']]) {
      const { code, err } = await holdfast(...command);
      expect([command[0], code, err]).toEqual([command[0], 2, `${join(dir, 'leaves.ts')}:3: ${problem}\n`]);
    }
  });

  it.each([
    ['by itself', 'later().catch(() => process.exit(0));', ':4'],
    ['by a timer alone', 'setTimeout(process.exit, 100);', ''],
  ])('says which module ends the process after it has loaded, %s', async (_what, ends, line) => {
    const later = "const later = () => new Promise((_, fail) => setTimeout(() => fail(new Error('offline')), 100));";
    writeFileSync(join(dir, 'leaves.ts'), `${AGENTS}\n${later}\n${ends}\n`);
    writeFileSync(
      join(dir, 'temporal.yaml'),
      ['agents: leaves.ts', MODELS, 'mcp: {files: {command: x}}', ''].join('\n'),
    );
    const problem = 'it ends the process, with exit code 0: remove the call of `process.exit`';
    for (const command of [['run', 'support.triage', '{}'], ['worker']]) {
      const { code, err } = await holdfast(...command);
      expect([command[0], code, err]).toEqual([
        command[0],
        2,
        expect.stringMatching(new RegExp(`${join(dir, 'leaves.ts')}${line}: ${problem}\n$`)),
      ]);
    }
  });

  it('says in one line where the configuration is invalid', async () => {
    writeFileSync(join(dir, 'temporal.yaml'), 'agentes: x\n');
    for (const command of [['run', 'a.b', '1'], ['worker'], ['dev']]) {
      const { code, err } = await holdfast(...command);
      expect([code, err]).toEqual([
        2,
        `${join(dir, 'temporal.yaml')}:1:1: There is no \`agentes\` here; did you mean \`agents\`?\n`,
      ]);
    }
  });
});

describe('`holdfast doctor`', () => {
  it('finds what is missing, says what to do, and fails', async () => {
    writeFileSync(join(dir, 'agents.ts'), AGENTS);
    writeFileSync(
      join(dir, 'temporal.yaml'),
      `agents: agents.ts
models: {fast: {baseUrl: 'http://localhost:1/v1', model: m, apiKey: sk-secret}}
mcp: {files: {command: ./serve}, other: {command: no-such-program}}
`,
    );
    writeFileSync(join(dir, 'serve'), '#!/bin/sh\n');
    chmodSync(join(dir, 'serve'), 0o755);
    const { code, out } = await holdfast('doctor');
    expect(code).toBe(1);
    for (const line of [
      /^✓ Node\.js +\d/m,
      /^✓ temporal +\d/m,
      /^✓ agents +support\.triage/m,
      /^✓ model fast +m at/m,
      /^✗ model default +No model has the alias `default`, which the agent `[\w.]+` names; known are `fast`/m,
      /^✓ mcp files +\/.*\/serve$/m,
      /^✗ mcp other +no program `no-such-program` → /m,
      /^! server +none at .* → start one with `TEMPORAL_ADDRESS=\S+ holdfast dev`/m,
    ]) {
      expect(out).toMatch(line);
    }
    expect(out).not.toContain('sk-secret');
  });

  it('says what would be downloaded, and downloads nothing', async () => {
    const cache = join(dir, 'cache');
    env = { ...env, PATH: dir, XDG_CACHE_HOME: cache, HOLDFAST_TEMPORAL_BIN: '', HOLDFAST_TEST_SERVER_BIN: '' };
    const { code, out } = await holdfast('doctor');
    expect(code).toBe(0);
    for (const name of ['temporal', 'temporal-test-server']) {
      expect(out).toMatch(new RegExp(`^! ${name} +not here: the first use downloads it from .* into ${cache}`, 'm'));
    }
    expect(out).toMatch(/^! server +none at .* → start one with `TEMPORAL_ADDRESS=\S+ holdfast dev`/m);
    expect(existsSync(cache)).toBe(false);
  });

  it('says what works with each model, as lines and as JSON; what a model lacks is not a failure', async () => {
    const model = closeAfterTest(await new ScriptedModel().start());
    writeFileSync(join(dir, 'temporal.yaml'), `models: {default: {baseUrl: '${model.url}', model: m}}\n`);
    const answers = ['one two three four five', ...Array.from({ length: 5 }, () => 'OK')].map((answer) => text(answer));
    model.script(...answers, ...answers);
    const { code, out } = await holdfast('doctor', '--models');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^✓ call of default +m answered in \d+ ms, \d+ \+ \d+ tokens\n {4}stream +ok +the answer came in 2 pieces$/m,
    );
    expect(out).toMatch(/^ {4}tools +no +it answered without the tool$/m);
    const found = JSON.parse((await holdfast('doctor', '--models', '--json')).out) as { findings: Finding[] };
    expect(found.findings.find(({ what }) => what === 'call of default')?.capabilities).toContainEqual({
      ...{ name: 'tools', works: 'no', reason: 'it answered without the tool' },
    });
  });

  it('prints its findings as JSON', async () => {
    const { code, out } = await holdfast('doctor', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true, findings: expect.any(Array) });
  });
});

describe('`holdfast dev`', () => {
  it('shows all addresses, lets `doctor` find everything, and leaves nothing behind after Ctrl-C', async () => {
    writeFileSync(join(dir, 'agents.ts'), AGENTS.replace(", mcp: { files: 'files' }", ''));
    writeFileSync(
      join(dir, 'temporal.yaml'),
      "agents: agents.ts\nmodels: {default: {baseUrl: 'http://localhost:1/v1', model: m}}\n",
    );
    const [port, uiPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
    const args = [RUN_TS, MAIN, 'dev', '--port', String(port), '--ui-port', String(uiPort)];
    const dev = spawn(process.execPath, args, { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let screen = '';
    await new Promise<void>((ready) => {
      dev.stdout.on('data', (data) => {
        screen += data;
        if (screen.includes('Ready.')) ready();
      });
    });
    expect(screen).toMatch(`Web UI      http://127.0.0.1:${uiPort}\nTemporal    127.0.0.1:${port}\n`);
    expect(screen).toMatch(/Agents +support\.triage/);
    const pid = Number(/Worker +pid (\d+)/.exec(screen)?.[1]);

    env.TEMPORAL_ADDRESS = `127.0.0.1:${port}`;
    const { code, out } = await holdfast('doctor');
    expect(out).toMatch(/^✓ workers +\d+@/m);
    expect(out).toMatch(/^✓ search attributes/m);
    expect(code).toBe(0);

    dev.kill('SIGINT');
    const ended = await new Promise((done) => dev.once('exit', (...how) => done(how)));
    expect(ended).toEqual([0, null]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(fetch(`http://127.0.0.1:${uiPort}`)).rejects.toThrow();
  });
});
