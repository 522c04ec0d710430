import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../runtime/process/ports';
import { HOLDFAST, MAIN, RUN_TS } from '../../sources';

const AGENTS = `import { defineAgent } from ${JSON.stringify(HOLDFAST)};
export const triage = defineAgent({ name: 'support.triage', instructions: 'x' });
export const files = defineAgent({ name: 'notes.files', instructions: 'x', mcp: { disk: 'disk' } });`;
const CONFIG = `agents: agents.ts
models: {default: {baseUrl: 'http://localhost:1/v1', model: m}}
mcp: {disk: {command: no-such-program}}
`;

let dir: string;
let env: NodeJS.ProcessEnv;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-show-'));
  env = { ...process.env, TEMPORAL_ADDRESS: `127.0.0.1:${await freePort('127.0.0.1')}`, HOLDFAST_CONNECT_TIMEOUT: '0' };
  writeFileSync(join(dir, 'agents.ts'), AGENTS);
  writeFileSync(join(dir, 'temporal.yaml'), CONFIG);
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Runs `holdfast show` as a user does, without a server. */
function show(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [RUN_TS, MAIN, 'show', ...args], { cwd: dir, env }, (error, out, err) =>
      done({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

const NO_SERVER = /No Temporal server answers at 127\.0\.0\.1:\d+/;

describe('`holdfast show`', () => {
  it('shows an agent of temporal.yaml, and fails if one of its servers does not start', async () => {
    expect(await show('support.triage')).toMatchObject({ code: 0, out: expect.stringMatching(/^support\.triage\n/) });
    const broken = await show('notes.files', '--json');
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.out)).toMatchObject({
      ok: false,
      agent: 'notes.files',
      mcp: [{ server: 'disk', problem: expect.stringContaining('no-such-program') }],
      tools: [],
    });
  });

  it('takes every other name for the id of a run, and names similar agents if there is no such run', async () => {
    const typo = await show('support.triaje');
    expect([typo.code, typo.out]).toEqual([2, '']);
    expect(typo.err).toMatch(
      /^No agent of .*temporal\.yaml is named `support\.triaje`; did you mean `support\.triage`\? /,
    );
    expect(typo.err).toMatch(NO_SERVER);
    for (const args of [['mail-17'], ['support.triage', '--run'], ['support.triage', '--tool', 't1.1']]) {
      const { code, err } = await show(...args);
      expect([code, err]).toEqual([3, expect.stringMatching(new RegExp(`^${NO_SERVER.source}`))]);
    }
  });

  it('looks only for an agent with --agent, and refuses options that conflict', async () => {
    const { code, err } = await show('support.triaje', '--agent');
    expect(code).toBe(2);
    expect(err).toMatch(/; did you mean `support\.triage`\?\n$/);
    expect(await show('support.triage', '--agent', '--run')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--run'),
    });
    expect(await show('mail-17', '--out', 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining("needs '--tool"),
    });
  });

  it('shows runs even if the agents cannot be loaded, and says why if there is none', async () => {
    writeFileSync(join(dir, 'agents.ts'), 'this is not a module');
    expect((await show('mail-17')).err).toMatch(NO_SERVER);
    expect((await show('support.triage')).err).toMatch(/agents\.ts:1:\d+: Syntax error/);
  });
});
